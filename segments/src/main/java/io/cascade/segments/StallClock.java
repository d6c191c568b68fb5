package io.cascade.segments;

/** Measures how long a direction makes no progress while something is on its way. */
final class StallClock {
  private long progressNanos;
  private long longestNanos;

  /** Something was sent while nothing was on its way: a stall counts from here. */
  void begin(long nowNanos) {
    progressNanos = nowNanos;
  }

  /** An acknowledgement moved on. */
  void progress(long nowNanos) {
    longestNanos = Math.max(longestNanos, nowNanos - progressNanos);
    progressNanos = nowNanos;
  }

  long longestNanos() {
    return longestNanos;
  }
}
