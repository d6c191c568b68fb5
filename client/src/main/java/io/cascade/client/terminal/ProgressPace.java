package io.cascade.client.terminal;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Average rate of a transfer and the time that it has left, from what came after its first bytes:
 * what stood at the receiver before is no rate, and neither is the time until something arrives.
 * Until a second of data exists nothing is said.
 */
final class ProgressPace {
  private static final long LEAST_NANOS = 1_000_000_000;

  /** What there was before anything arrived; negative as long as nobody said. */
  private long beforeBytes = -1;

  /** Whether something has arrived; the other two are of that moment. */
  private boolean begun;

  private long firstBytes;
  private long firstNanos;
  private long bytes;

  /**
   * Takes note of how much there is.
   *
   * @param moved bytes of the file so far; less than before where the receiver begins anew
   * @param nowNanos by {@link System#nanoTime}
   */
  synchronized void moved(long moved, long nowNanos) {
    if (beforeBytes < 0 || moved < bytes) {
      beforeBytes = moved;
      begun = false;
    } else if (!begun && moved > beforeBytes) {
      begun = true;
      firstBytes = moved;
      firstNanos = nowNanos;
    }
    bytes = moved;
  }

  /** The average rate; empty as long as it shows none. */
  synchronized OptionalDouble bytesPerSecond(long nowNanos) {
    long nanos = nowNanos - firstNanos;
    return begun && nanos >= LEAST_NANOS
        ? OptionalDouble.of(1e9 * (bytes - firstBytes) / nanos)
        : OptionalDouble.empty();
  }

  /**
   * The time that is left at the average rate; empty where that is not known, or nothing moves.
   *
   * @param size of the file, in bytes
   */
  synchronized Optional<Duration> left(long size, long nowNanos) {
    double rate = bytesPerSecond(nowNanos).orElse(0);
    return rate > 0
        ? Optional.of(Duration.ofSeconds(Math.round(Math.max(0, size - bytes) / rate)))
        : Optional.empty();
  }
}
