package io.cascade.relay.probe;

/**
 * Smoothed round-trip time and its mean deviation as in RFC 6298, section 2:
 *
 * <pre>
 *   first sample R:  SRTT = R,                      RTTVAR = R / 2
 *   each later one:  RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R|
 *                    SRTT   = 7/8 SRTT   + 1/8 R
 * </pre>
 *
 * <p>Example: samples of 100 ms and 140 ms give SRTT 105 ms and RTTVAR 47.5 ms.
 */
final class RoundTripTime {
  private double smoothedNanos;
  private double deviationNanos;
  private boolean sampled;

  void sample(long nanos) {
    if (!sampled) {
      sampled = true;
      smoothedNanos = nanos;
      deviationNanos = nanos / 2.0;
      return;
    }
    deviationNanos += (Math.abs(smoothedNanos - nanos) - deviationNanos) / 4;
    smoothedNanos += (nanos - smoothedNanos) / 8;
  }

  double smoothedNanos() {
    return smoothedNanos;
  }

  double deviationNanos() {
    return deviationNanos;
  }
}
