package io.cascade.coding.control;

/** Packets that a path has carried in a round trip without a queue, over rounds that filled it. */
final class CarriedPackets {
  private static final double MEMORY = 4;
  private static final double MOST_LOSS = 0.9;

  private double packets;

  /**
   * Records a round. In START, where rounds grow, the largest one counts by its arrivals; in other
   * modes the mean of the latest ones counts, with the path's own losses added.
   *
   * @param lossRate of the path itself
   * @param share ratio of a round trip without a queue to the round, 0 to 1
   * @param most bound by the rate of arrivals, since a round may have been longer than a round trip
   */
  void note(ControlMode mode, int arrived, double lossRate, double share, double most) {
    double inRoundTrip = arrived * share;
    if (mode == ControlMode.START) {
      packets = Math.max(packets, inRoundTrip);
    } else {
      double carried = Math.min(most, inRoundTrip / (1 - Math.min(MOST_LOSS, lossRate)));
      packets += (carried - packets) / (packets == 0 ? 1 : MEMORY);
    }
  }

  /** Discards the value, which has proved to be too high. */
  void forget() {
    packets = 0;
  }

  /** Packets in a round trip; 0 if unknown. */
  double packets() {
    return packets;
  }
}
