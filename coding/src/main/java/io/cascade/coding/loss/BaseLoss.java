package io.cascade.coding.loss;

/**
 * The share of packets that a path loses below its capacity, as k of n with a memory of 2,000
 * packets. Whoever notes packets here vouches that they were sent below capacity: otherwise
 * overload teaches that loss is normal.
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

  /** Forgets everything and takes these counts instead. */
  public void replace(double lostPackets, double allPackets) {
    packets = 0;
    lost = 0;
    note(lostPackets, allPackets);
  }

  /** 0 to 1; 0 before anything was noted. */
  public double rate() {
    return packets == 0 ? 0 : lost / packets;
  }

  /** Number of packets on which the rate rests. */
  public double packets() {
    return packets;
  }

  /** Losses among them. */
  public double lost() {
    return lost;
  }
}
