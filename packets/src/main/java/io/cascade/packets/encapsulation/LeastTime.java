package io.cascade.packets.encapsulation;

/** The least of the times of the last {@value #WINDOW_SECONDS} to twice as many seconds. */
final class LeastTime {
  private static final long WINDOW_SECONDS = 10;
  private static final long WINDOW_NANOS = WINDOW_SECONDS * 1_000_000_000L;

  private long windowEndNanos;
  private long leastNow = Long.MAX_VALUE;
  private long leastBefore = Long.MAX_VALUE;

  void sample(long nanos, long nowNanos) {
    if (!sampled() || nowNanos - windowEndNanos >= 0) {
      boolean isStale = nowNanos - windowEndNanos >= WINDOW_NANOS;
      leastBefore = isStale ? Long.MAX_VALUE : leastNow;
      leastNow = nanos;
      windowEndNanos = nowNanos + WINDOW_NANOS;
    }
    leastNow = Math.min(leastNow, nanos);
  }

  boolean sampled() {
    return leastNow != Long.MAX_VALUE;
  }

  /** The least one; {@link Long#MAX_VALUE} before the first. */
  long nanos() {
    return Math.min(leastNow, leastBefore);
  }
}
