package io.cascade.packets.encapsulation;

/** The least and the longest of the times in the last one to two windows. */
final class RecentTimes {
  private final long windowNanos;
  private Span now = Span.NONE;
  private Span before = Span.NONE;
  private long windowEndNanos;

  /** Range of times; empty if the least is above the longest. */
  private record Span(long least, long longest) {
    private static final Span NONE = new Span(Long.MAX_VALUE, Long.MIN_VALUE);

    Span with(Span other) {
      return new Span(Math.min(least, other.least), Math.max(longest, other.longest));
    }
  }

  RecentTimes(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  void sample(long nanos, long nowNanos) {
    if (!sampled() || nowNanos - windowEndNanos >= 0) {
      before = nowNanos - windowEndNanos >= windowNanos ? Span.NONE : now;
      now = Span.NONE;
      windowEndNanos = nowNanos + windowNanos;
    }
    now = now.with(new Span(nanos, nanos));
  }

  boolean sampled() {
    return now.least <= now.longest;
  }

  /** The least one; there must be one. */
  long leastNanos() {
    return now.with(before).least;
  }

  /** The longest one; there must be one. */
  long longestNanos() {
    return now.with(before).longest;
  }
}
