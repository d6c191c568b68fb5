package io.cascade.coding.control;

/** Sees that most of what is sent is lost: above 45 % of 600 packets. */
final class OverloadGuard {
  private static final int PACKETS = 600;
  private static final double HIGHEST_LOSS = 0.45;
  private static final double MARGIN = 1.1;
  private static final double HIGHEST_BASE = 0.65;

  private int packets;
  private int lost;
  private boolean overloaded;

  void note(boolean wasLost) {
    packets++;
    lost += wasLost ? 1 : 0;
    if (packets == PACKETS) {
      overloaded = lost > HIGHEST_LOSS * PACKETS;
      packets = 0;
      lost = 0;
    }
  }

  /** Whether a share of losses is beyond what the guard lets pass. */
  static boolean isMuch(double lossRate) {
    return lossRate > HIGHEST_LOSS;
  }

  boolean isOverloaded() {
    return overloaded;
  }

  /** Packets per second that may be sent then: what arrives, and what may be lost of it. */
  static double bound(double deliveryRate, double probedLoss) {
    return MARGIN * deliveryRate / (1 - Math.min(HIGHEST_BASE, probedLoss));
  }
}
