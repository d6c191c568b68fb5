package io.cascade.coding.session;

/** Round-trip time, smoothed, and the time to wait for an answer (RFC 6298, RFC 9002 §6.2). */
final class RoundTrip {
  private static final long FIRST_GUESS_NANOS = 300_000_000;
  private static final long LEAST_SLACK_NANOS = 10_000_000;
  private static final int PATIENT_TIMEOUTS = 3;
  private static final long LONGEST_WAIT_NANOS = 2_000_000_000;

  private double smoothedNanos;
  private double deviationNanos;

  void note(long sampleNanos) {
    if (smoothedNanos == 0) {
      smoothedNanos = sampleNanos;
      deviationNanos = sampleNanos / 2.0;
    } else {
      deviationNanos += (Math.abs(sampleNanos - smoothedNanos) - deviationNanos) / 4;
      smoothedNanos += (sampleNanos - smoothedNanos) / 8;
    }
  }

  long smoothedNanos() {
    return smoothedNanos == 0 ? FIRST_GUESS_NANOS : (long) smoothedNanos;
  }

  /**
   * Time to wait for an answer before probing.
   *
   * @param timeouts consecutive ones so far; each from the fourth on doubles the time, up to 2 s:
   *     with bursty losses, the first probes prove little
   */
  long probeTimeoutNanos(int timeouts) {
    double once = smoothedNanos() + Math.max(4 * deviationNanos, LEAST_SLACK_NANOS);
    return (long)
        Math.min(once * (1L << Math.clamp(timeouts - PATIENT_TIMEOUTS, 0, 10)), LONGEST_WAIT_NANOS);
  }
}
