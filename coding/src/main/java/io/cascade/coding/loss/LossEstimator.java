package io.cascade.coding.loss;

/**
 * Loss rate and mean length of loss bursts, from each packet's fate in the order of sending. Old
 * packets count less: the memory is 2,000 packets for the rate, or 200 if those lost clearly more
 * than that, and 200 losses for the bursts.
 */
public final class LossEstimator {
  private static final double MEMORY_PACKETS = 2_000;
  private static final double SHORT_MEMORY_PACKETS = 200;
  private static final double CLEARLY = 2.5;
  private static final double MEMORY_LOSSES = 200;
  private static final double LONGEST_BURST = 8;

  private double packets;
  private double lost;
  private double recentPackets;
  private double recentLost;
  private double burstLosses;
  private double bursts;
  private boolean lastWasLost;

  /** Records the fate of the next packet. */
  public void note(boolean wasLost) {
    packets++;
    recentPackets++;
    if (wasLost) {
      lost++;
      recentLost++;
      burstLosses++;
      if (!lastWasLost) {
        bursts++;
      }
    }
    lastWasLost = wasLost;
    if (packets > MEMORY_PACKETS) {
      double keep = MEMORY_PACKETS / packets;
      packets *= keep;
      lost *= keep;
    }
    if (recentPackets > SHORT_MEMORY_PACKETS) {
      recentLost *= SHORT_MEMORY_PACKETS / recentPackets;
      recentPackets = SHORT_MEMORY_PACKETS;
    }
    if (burstLosses > MEMORY_LOSSES) {
      double keep = MEMORY_LOSSES / burstLosses;
      burstLosses *= keep;
      bursts *= keep;
    }
  }

  /** Loss rate, 0 to 1; 0 before the first packet. */
  public double lossRate() {
    if (packets == 0) {
      return 0;
    }
    double rate = lost / packets;
    double excess = LossTest.excess(recentLost, recentPackets, rate, packets, burstPackets());
    return excess > CLEARLY ? recentLost / recentPackets : rate;
  }

  /** Mean length of a loss burst, 1 to 8. */
  public double burstPackets() {
    return bursts == 0 ? 1 : Math.clamp(burstLosses / bursts, 1, LONGEST_BURST);
  }
}
