package io.cascade.client.transfer;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Rate of a transfer for programs, once an interval. Bytes before the first call do not count. Not
 * thread-safe.
 */
public final class ToldRate {
  private final long intervalNanos;
  private long toldNanos;
  private long toldBytes = -1;

  /**
   * @param interval least time between two rates
   */
  public ToldRate(Duration interval) {
    intervalNanos = interval.toNanos();
  }

  /**
   * Records the progress.
   *
   * @param bytes of the transfer so far
   * @param nowNanos by {@link System#nanoTime}
   * @return bits per second since the last rate; empty where the next one is not due
   */
  public OptionalDouble moved(long bytes, long nowNanos) {
    if (toldBytes < 0) {
      toldNanos = nowNanos;
      toldBytes = bytes;
    }
    long nanos = nowNanos - toldNanos;
    if (nanos < intervalNanos) {
      return OptionalDouble.empty();
    }
    double bitsPerSecond = Math.max(0, bytes - toldBytes) * 8e9 / nanos;
    toldNanos = nowNanos;
    toldBytes = bytes;
    return OptionalDouble.of(bitsPerSecond);
  }
}
