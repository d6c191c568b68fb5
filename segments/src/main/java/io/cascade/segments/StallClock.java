package io.cascade.segments;

/** Measures how long a direction makes no progress while data is in flight. */
final class StallClock {
  private long progressNanos;
  private long longestNanos;

  /** Data was sent while none was in flight: a stall counts from here. */
  void begin(long nowNanos) {
    progressNanos = nowNanos;
  }

  /** An acknowledgement advanced. */
  void progress(long nowNanos) {
    longestNanos = Math.max(longestNanos, nowNanos - progressNanos);
    progressNanos = nowNanos;
  }

  long longestNanos() {
    return longestNanos;
  }
}
