package io.cascade.coding.loss;

/**
 * The path's loss rate below its capacity, as k of n with a memory of 2,000 packets. Callers must
 * record only packets that were sent below capacity: otherwise overload would raise the rate.
 */
public final class BaseLoss {
  private static final double MEMORY_PACKETS = 2_000;

  private double packets;
  private double lost;

  public void note(double lostPackets, double allPackets) {
    packets += allPackets;
    lost += lostPackets;
    if (packets > MEMORY_PACKETS) {
      lost *= MEMORY_PACKETS / packets;
      packets = MEMORY_PACKETS;
    }
  }

  /** Replaces the counts. */
  public void replace(double lostPackets, double allPackets) {
    packets = 0;
    lost = 0;
    note(lostPackets, allPackets);
  }

  /** 0 to 1; 0 before a packet was recorded. */
  public double rate() {
    return packets == 0 ? 0 : lost / packets;
  }

  /** Number of packets on which the rate is based. */
  public double packets() {
    return packets;
  }

  /** Number of losses among them. */
  public double lost() {
    return lost;
  }
}
