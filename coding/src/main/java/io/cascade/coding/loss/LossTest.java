package io.cascade.coding.loss;

/**
 * Tests whether losses exceed what a base loss rate explains. With k of n packets lost, a base rate
 * r learned from N packets, and losses in bursts of l:
 *
 * <pre>
 * b = 2·l − 1
 * z = (k − n·r) / √( n·r·(1 − r)·b·(1 + n/N) + ¼ )
 * </pre>
 *
 * z is the excess in standard deviations: b is the factor by which bursts increase the binomial's
 * variance, 1 + n/N the factor for the uncertainty of r. For k = 20, n = 100, r = 0.1, N = 2,000, l
 * = 1: z = 3.2.
 */
public final class LossTest {
  /** Excess from which losses are not considered random. */
  public static final double EXCESS = 3;

  private static final double WIDEST = 15;

  private LossTest() {}

  /**
   * Standard deviations by which losses in one sample exceed those in another, neither of them
   * large: with the loss rate p of both together, z = (k₁ − n₁·k₂/n₂) / √( n₁·p·(1 − p)·b·(1 +
   * n₁/n₂) + ¼ ).
   */
  public static double difference(
      double lost, double packets, double otherLost, double otherPackets, double burstPackets) {
    double others = Math.max(1, otherPackets);
    double pooled = (lost + otherLost) / Math.max(1, packets + otherPackets);
    double widening = Math.clamp(2 * burstPackets - 1, 1, WIDEST);
    double variance = packets * pooled * (1 - pooled) * widening * (1 + packets / others) + 0.25;
    return (lost - packets * otherLost / others) / Math.sqrt(variance);
  }

  /** The excess z above. */
  public static double excess(
      double lost, double packets, double baseLoss, double basePackets, double burstPackets) {
    double widening = Math.clamp(2 * burstPackets - 1, 1, WIDEST);
    double known = 1 + packets / Math.max(1, basePackets);
    double variance = packets * baseLoss * (1 - baseLoss) * widening * known + 0.25;
    return (lost - packets * baseLoss) / Math.sqrt(variance);
  }
}
