package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * Conditions that one connection meets on its way.
 *
 * @param rttSeconds round-trip time without the queues that the connection itself fills
 * @param lossProbability chance that a packet is lost, independently of the connection's own rate
 * @param mssBytes payload of a full packet
 * @param payloadCapacityBitsPerSecond what the link carries as payload, headers and framing already
 *     taken off; infinite if unknown
 */
public record PathConditions(
    double rttSeconds, double lossProbability, int mssBytes, double payloadCapacityBitsPerSecond) {

  /** Checks every value. */
  public PathConditions {
    Require.positive("rttSeconds", rttSeconds);
    Require.probability("lossProbability", lossProbability);
    Require.atLeast("mssBytes", mssBytes, 1);
    Require.positiveOrInfinite("payloadCapacityBitsPerSecond", payloadCapacityBitsPerSecond);
  }

  /** A path of which no capacity is known. */
  public static PathConditions uncapped(double rttSeconds, double lossProbability, int mssBytes) {
    return new PathConditions(rttSeconds, lossProbability, mssBytes, Double.POSITIVE_INFINITY);
  }

  /**
   * The path that one connection over {@code this} and then {@code next} would meet.
   *
   * <p>Round-trip times add, a packet must survive both losses (p = 1 − (1−p₁)(1−p₂)), the smaller
   * capacity and packet rule. Holds for loss that comes from outside; the loss that a flow inflicts
   * on itself does not compose.
   *
   * <p>Worked value: 20 ms at 1 % and 30 ms at 2 % make 50 ms at 2.98 %.
   */
  public PathConditions then(PathConditions next) {
    return new PathConditions(
        rttSeconds + next.rttSeconds,
        // 1 − (1−p₁)(1−p₂), which would lose small losses to rounding
        lossProbability + next.lossProbability * (1 - lossProbability),
        Math.min(mssBytes, next.mssBytes),
        Math.min(payloadCapacityBitsPerSecond, next.payloadCapacityBitsPerSecond));
  }
}
