package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * Conditions of one connection's path.
 *
 * @param rttSeconds round-trip time without the queues that the connection itself fills
 * @param lossProbability chance that a packet is lost, independently of the connection's own rate
 * @param mssBytes payload of a full packet
 * @param payloadCapacityBitsPerSecond the link's capacity for payload, without headers and framing;
 *     infinite if unknown
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

  /** A path of unknown capacity. */
  public static PathConditions uncapped(double rttSeconds, double lossProbability, int mssBytes) {
    return new PathConditions(rttSeconds, lossProbability, mssBytes, Double.POSITIVE_INFINITY);
  }

  /**
   * The path of one connection over {@code this} and then {@code next}.
   *
   * <p>Round-trip times add, a packet must survive both losses (p = 1 − (1−p₁)(1−p₂)), the smaller
   * capacity and packet rule. Valid for loss that is independent of the flow; the loss that a flow
   * causes itself does not compose.
   *
   * <p>Worked value: 20 ms at 1 % and 30 ms at 2 % make 50 ms at 2.98 %.
   */
  public PathConditions then(PathConditions next) {
    return new PathConditions(
        rttSeconds + next.rttSeconds,
        // 1 − (1−p₁)(1−p₂), in a form that does not lose small losses to rounding
        lossProbability + next.lossProbability * (1 - lossProbability),
        Math.min(mssBytes, next.mssBytes),
        Math.min(payloadCapacityBitsPerSecond, next.payloadCapacityBitsPerSecond));
  }
}
