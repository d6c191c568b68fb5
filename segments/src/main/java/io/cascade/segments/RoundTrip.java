package io.cascade.segments;

/** Round-trip time of a pipe: smoothed and its variation as in RFC 6298, and the minimum. */
final class RoundTrip {
  private static final long UNKNOWN_NANOS = 100_000_000;

  private double smoothedNanos;
  private double variationNanos;
  private long leastNanos = Long.MAX_VALUE;

  void sample(long nanos) {
    if (leastNanos == Long.MAX_VALUE) {
      smoothedNanos = nanos;
      variationNanos = nanos / 2.0;
    } else {
      variationNanos += (Math.abs(smoothedNanos - nanos) - variationNanos) / 4;
      smoothedNanos += (nanos - smoothedNanos) / 8;
    }
    leastNanos = Math.max(1, Math.min(leastNanos, nanos));
  }

  boolean isKnown() {
    return leastNanos != Long.MAX_VALUE;
  }

  double smoothedNanos() {
    return leastNanos == Long.MAX_VALUE ? UNKNOWN_NANOS : smoothedNanos;
  }

  double variationNanos() {
    return leastNanos == Long.MAX_VALUE ? UNKNOWN_NANOS / 2.0 : variationNanos;
  }

  double leastNanos() {
    return leastNanos == Long.MAX_VALUE ? UNKNOWN_NANOS : leastNanos;
  }
}
