package io.cascade.client.terminal;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Average rate of a transfer and the time left, computed from what arrived after its first bytes:
 * what the receiver had before is excluded, and so is the time until the first byte. Reports
 * nothing before a second of data.
 */
final class ProgressPace {
  private static final long LEAST_NANOS = 1_000_000_000;

  /** Bytes that the receiver had before the transfer; negative while unknown. */
  private long beforeBytes = -1;

  /** Whether something has arrived; the other two fields are of that moment. */
  private boolean begun;

  private long firstBytes;
  private long firstNanos;
  private long bytes;

  /**
   * Records the progress.
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

  /** The average rate; empty while it is not known. */
  synchronized OptionalDouble bytesPerSecond(long nowNanos) {
    long nanos = nowNanos - firstNanos;
    return begun && nanos >= LEAST_NANOS
        ? OptionalDouble.of(1e9 * (bytes - firstBytes) / nanos)
        : OptionalDouble.empty();
  }

  /**
   * The time left at the average rate; empty where that is not known, or nothing moves.
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
