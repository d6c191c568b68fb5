package io.cascade.coding.control;

/**
 * Bounds what is sent where most of it is lost: above 45 % of 600 packets, or 10 % more than the
 * path loses by itself, 65 % at most. What it loses by itself is the share of packets that were
 * lost of those that probes sent below capacity, or of those that were sent under a bound.
 */
final class OverloadGuard {
  private static final int PACKETS = 600;
  private static final double HIGHEST_LOSS = 0.45;
  private static final double HIGHEST_BASE = 0.65;

  /**
   * Share of what the path seems to carry that a bound allows. Less than all of it: what is lost
   * then is not lost to an overload, and an estimate that was too high gets lower.
   */
  private static final double ALLOWED = 0.9;

  /** A round of few packets loses by so much more than others by chance. */
  private static final double BY_CHANCE = 0.1;

  /** Packets under a bound after which older ones count half. */
  private static final double REMEMBERED = 200;

  private int packets;
  private int lost;
  private double lossRate;

  private double boundPackets;
  private double boundLost;

  /** Ordinals of the packets under the latest bound: from the first one to before the second. */
  private long boundFirst;

  private long boundEnd;

  /** Notes the fate of a packet. */
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
   * Whether more is lost than the path loses by itself.
   *
   * @param roundLoss of the last round
   * @param probedLoss below capacity
   */
  boolean isOverloaded(double roundLoss, double probedLoss) {
    double most = Math.clamp(ownLoss(probedLoss) + BY_CHANCE, HIGHEST_LOSS, HIGHEST_BASE);
    return lossRate > most && roundLoss > most;
  }

  /** Share of the last 600 packets that was lost. */
  double lossRate() {
    return lossRate;
  }

  /**
   * Begins a bound, or goes on with the one that has just ended.
   *
   * @return packets per second that may be sent until the round ends: less than what arrives and
   *     what is lost of it anyway
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
