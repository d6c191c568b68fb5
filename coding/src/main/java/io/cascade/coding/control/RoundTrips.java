package io.cascade.coding.control;

/** Round trip for the controller: smoothed (RFC 6298), and the least one. */
final class RoundTrips {
  private static final double FIRST_GUESS_NANOS = 100e6;

  private double smoothedNanos;
  private double leastNanos = Double.MAX_VALUE;

  void note(long nanos) {
    smoothedNanos = smoothedNanos == 0 ? nanos : smoothedNanos + (nanos - smoothedNanos) / 8;
    leastNanos = Math.min(leastNanos, (double) nanos);
  }

  void forgetLeast() {
    leastNanos = Double.MAX_VALUE;
  }

  /** The path has become longer. */
  void raiseLeast(double byNanos) {
    leastNanos += byNanos;
  }

  boolean isKnown() {
    return leastNanos != Double.MAX_VALUE;
  }

  /** Smoothed, in ns; an estimate before the first sample. */
  double smoothed() {
    return smoothedNanos == 0 ? FIRST_GUESS_NANOS : smoothedNanos;
  }

  /** The least one, in ns; an estimate before the first sample. */
  double least() {
    return isKnown() ? leastNanos : FIRST_GUESS_NANOS;
  }
}
