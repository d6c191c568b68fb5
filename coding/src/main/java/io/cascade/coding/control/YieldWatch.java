package io.cascade.coding.control;

/**
 * Sees that somebody else takes, little by little, what a sender that keeps the queue short gives
 * up. A path whose capacity falls takes it away at once, within a round or two, and then no more.
 */
final class YieldWatch {
  /** Below this share of what it was, the rate has been taken by others. */
  private static final double TAKEN = 0.7;

  /** A rate below this share of the one two rounds before it is a path that has changed. */
  private static final double SUDDEN = 0.8;

  private double reference;
  private double before;
  private double beforeThat;
  private boolean yielding;

  void begin() {
    reference = 0;
    before = 0;
    beforeThat = 0;
    yielding = false;
  }

  /**
   * Notes a round.
   *
   * @param rate at which packets arrived
   * @param isBound whether the queue, and not the application, holds the rate back
   */
  void round(double rate, boolean isBound) {
    boolean isSudden = rate < SUDDEN * beforeThat;
    if (rate > reference || isSudden) {
      reference = rate;
    }
    beforeThat = before;
    before = rate;
    yielding = isBound && rate < TAKEN * reference;
  }

  /** Whether others take what is given up. */
  boolean isYielding() {
    return yielding;
  }
}
