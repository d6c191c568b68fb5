package io.cascade.coding.control;

/**
 * Detects that another sender slowly takes the capacity that this one gives up to keep the queue
 * short. If the path's capacity decreases instead, the rate falls within a round or two and then
 * stays constant.
 */
final class YieldWatch {
  /** Below this share of its reference, others have taken the rate. */
  private static final double TAKEN = 0.7;

  /**
   * Rounds over which the rate is averaged: one whose packets arrived bunched up is no reference.
   */
  private static final double MEAN_ROUNDS = 4;

  /** A rate below this share of the one two rounds before indicates a changed path. */
  private static final double SUDDEN = 0.8;

  /** Rounds in which a probe still reduces the rate. */
  private static final int QUIET_ROUNDS = 3;

  private double reference;
  private double before;
  private double beforeThat;
  private int quietRounds;
  private int heldBackRounds;
  private double mean;
  private boolean yielding;

  void begin() {
    reference = 0;
    before = 0;
    beforeThat = 0;
    quietRounds = 0;
    heldBackRounds = 0;
    mean = 0;
    yielding = false;
  }

  /** A probe runs, which reduces the rate of this round and the next ones. */
  void probing() {
    quietRounds = QUIET_ROUNDS;
  }

  /** The application limited the rate in a round; if that continues, nothing is compared. */
  void heldBack() {
    heldBackRounds++;
    if (heldBackRounds > QUIET_ROUNDS) {
      begin();
    }
  }

  /**
   * Records a round that the window limited.
   *
   * @param rate at which packets arrived
   * @param isBound whether the queue has recently limited the window
   */
  void round(double rate, boolean isBound) {
    heldBackRounds = 0;
    if (quietRounds > 0) {
      quietRounds--;
      return;
    }
    if (rate < SUDDEN * beforeThat || reference == 0) {
      mean = rate;
      reference = rate;
    }
    beforeThat = before;
    before = rate;
    mean += (rate - mean) / MEAN_ROUNDS;
    reference = Math.max(reference, mean);
    yielding = isBound && mean < TAKEN * reference;
  }

  /** Whether others take the capacity that is given up. */
  boolean isYielding() {
    return yielding;
  }
}
