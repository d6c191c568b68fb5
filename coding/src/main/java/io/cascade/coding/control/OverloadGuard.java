package io.cascade.coding.control;

/**
 * Bounds the rate if most packets are lost: above 45 % of 600 packets, or 10 % more than the path's
 * own loss rate, 65 % at most. The path's own loss rate is that of packets sent below capacity by
 * probes, or of packets sent under a bound.
 */
final class OverloadGuard {
  private static final int PACKETS = 600;
  private static final double HIGHEST_LOSS = 0.45;
  private static final double HIGHEST_BASE = 0.65;

  /**
   * Share of the path's apparent capacity that a bound allows. Below 1, so that losses under the
   * bound are no overload's, and an estimate that was too high decreases.
   */
  private static final double ALLOWED = 0.9;

  /** Excess loss that a round of few packets may have by chance. */
  private static final double BY_CHANCE = 0.1;

  /** Packets under a bound after which older ones count half. */
  private static final double REMEMBERED = 200;

  private int packets;
  private int lost;
  private double lossRate;

  private double boundPackets;
  private double boundLost;

  /** First ordinal of the packets under the latest bound, and the one after the last. */
  private long boundFirst;

  private long boundEnd;

  /** Records the fate of a packet. */
  void note(long ordinal, boolean wasLost) {
    packets++;
    lost += wasLost ? 1 : 0;
    if (packets == PACKETS) {
      lossRate = (double) lost / PACKETS;
      packets = 0;
      lost = 0;
    }
    if (ordinal >= boundFirst && ordinal < boundEnd) {
      boundPackets++;
      boundLost += wasLost ? 1 : 0;
      if (boundPackets >= REMEMBERED) {
        boundPackets /= 2;
        boundLost /= 2;
      }
    }
  }

  /**
   * Ends a round, and with it the bound.
   *
   * @param nextOrdinal of the next packet
   */
  void endRound(long nextOrdinal) {
    boundEnd = Math.min(boundEnd, nextOrdinal);
  }

  /**
   * Whether losses exceed the path's own.
   *
   * @param roundLoss of the last round
   * @param probedLoss below capacity
   */
  boolean isOverloaded(double roundLoss, double probedLoss) {
    double most = Math.clamp(ownLoss(probedLoss) + BY_CHANCE, HIGHEST_LOSS, HIGHEST_BASE);
    return lossRate > most && roundLoss > most;
  }

  /** Share of the last 600 packets that were lost. */
  double lossRate() {
    return lossRate;
  }

  /**
   * Begins a bound, or extends the one that has just ended.
   *
   * @return packets per second that may be sent until the round ends: below what arrives plus the
   *     path's own losses
   */
  double bound(double deliveryRate, double probedLoss, long nextOrdinal) {
    if (boundEnd < nextOrdinal) {
      boundFirst = nextOrdinal;
    }
    boundEnd = Long.MAX_VALUE;
    return ALLOWED * deliveryRate / (1 - Math.min(HIGHEST_BASE, ownLoss(probedLoss)));
  }

  private double ownLoss(double probedLoss) {
    return Math.max(probedLoss, boundPackets == 0 ? 0 : boundLost / boundPackets);
  }
}
