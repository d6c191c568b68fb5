package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * CUBIC's throughput: its cubic region, or Reno's window where that is larger.
 *
 * <pre>
 * W = max( (C(3+β) / (4(1−β)))^¼ · (RTT/p)^¾ ,  √(3/(2p)) )     packets
 * X = 8·MSS·W / RTT                                            bit/s
 * </pre>
 *
 * <p>RFC 9438: section 5, equation 5 (equation 6 with the numbers put in) for the cubic region,
 * section 4.3 for the Reno-friendly one, with C = 0.4 packets/s³ and β = 0.7. <b>β is the share of
 * the window that remains after a loss</b>, not the share that is given up. The loss is periodic,
 * as in the RFC.
 *
 * <p>The Reno-friendly region applies if p &gt; 0.5481·RTT³: there CUBIC gains from shorter round
 * trips as Reno does; in the cubic region its rate falls only with RTT^¼.
 *
 * <p>Range: as {@link MathisThroughput}; without loss the result is infinite. Worked values: at RTT
 * = 0.1 s, p = 10⁻⁴ gives 187 packets and p = 10⁻³ gives 38.7 (the RFC's Table 1 has 187 and 38).
 */
public record CubicThroughput() implements ThroughputModel {

  private static final double C = 0.4;
  private static final double BETA = 0.7;
  private static final double CUBIC_FACTOR = Math.pow(C * (3 + BETA) / (4 * (1 - BETA)), 0.25);
  private static final double RENO_FACTOR = Math.sqrt(1.5);

  @Override
  public double bitsPerSecond(PathConditions path) {
    return 8
        * path.mssBytes()
        * windowPackets(path.rttSeconds(), path.lossProbability())
        / path.rttSeconds();
  }

  /** The mean window W in packets. */
  static double windowPackets(double rttSeconds, double lossProbability) {
    double cubic = CUBIC_FACTOR * Math.pow(rttSeconds / lossProbability, 0.75);
    double renoFriendly = RENO_FACTOR / Math.sqrt(lossProbability);
    return Math.max(cubic, renoFriendly);
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return OptionalDouble.of(BETA);
  }

  @Override
  public String basis() {
    return "cubic, rfc 9438";
  }

  @Override
  public double validUpToLoss() {
    return 0.02;
  }
}
