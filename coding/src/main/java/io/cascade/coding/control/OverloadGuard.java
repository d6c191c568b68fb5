package io.cascade.coding.control;

/**
 * Sees that most of what is sent is lost: above 45 % of 600 packets, or as much more as probes lose
 * below capacity, 65 % at most.
 */
final class OverloadGuard {
  private static final int PACKETS = 600;
  private static final double HIGHEST_LOSS = 0.45;
  private static final double MARGIN = 1.1;
  private static final double HIGHEST_BASE = 0.65;

  /** A round of few packets loses by so much more than others by chance. */
  private static final double BY_CHANCE = 0.1;

  private int packets;
  private int lost;
  private double lossRate;

  void note(boolean wasLost) {
    packets++;
    lost += wasLost ? 1 : 0;
    if (packets == PACKETS) {
      lossRate = (double) lost / PACKETS;
      packets = 0;
      lost = 0;
    }
  }

  /**
   * Whether more is lost than the path loses by itself.
   *
   * @param roundLoss of the last round
   * @param probedLoss below capacity
   */
  boolean isOverloaded(double roundLoss, double probedLoss) {
    double most = Math.clamp(probedLoss + BY_CHANCE, HIGHEST_LOSS, HIGHEST_BASE);
    return lossRate > most && roundLoss > most;
  }

  /** Share of the last 600 packets that was lost. */
  double lossRate() {
    return lossRate;
  }

  /** Packets per second that may be sent then: what arrives, and what may be lost of it. */
  static double bound(double deliveryRate, double probedLoss) {
    return MARGIN * deliveryRate / (1 - Math.min(HIGHEST_BASE, probedLoss));
  }
}
