package io.cascade.coding.control;

/** Packets that a path has carried in a round trip without a queue, over rounds that filled it. */
final class CarriedPackets {
  private static final double MEMORY = 4;
  private static final double MOST_LOSS = 0.9;

  private double packets;

  /**
   * Notes a round. Of START, which grows, the largest round counts as it arrived; of others the
   * mean of the latest, with what the path loses by itself.
   *
   * @param lossRate of the path itself
   * @param share of a queueless round trip in the round, 0 to 1
   * @param most that the rate of arrivals allows: a round may have been longer than a round trip
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

  /** It has proved to be too much. */
  void forget() {
    packets = 0;
  }

  /** 0 where nothing is known. */
  double packets() {
    return packets;
  }
}
