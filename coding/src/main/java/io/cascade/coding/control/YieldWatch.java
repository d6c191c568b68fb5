package io.cascade.coding.control;

/**
 * Detects that another sender slowly takes the capacity which this one gives up to keep the queue
 * short. Where the path's capacity falls, the rate falls within a round or two, and then stays.
 */
final class YieldWatch {
  /** Below this share of what it was, the rate has been taken by others. */
  private static final double TAKEN = 0.7;

  /** Rounds over which the rate is averaged: one that arrived bunched up is no reference. */
  private static final double MEAN_ROUNDS = 4;

  /** A rate below this share of the one two rounds before it is a path that has changed. */
  private static final double SUDDEN = 0.8;

  /** Rounds in which the rate still shows what a probe has held back. */
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

  /** A probe runs: the rate of this round is what it lets through, and so are the next ones. */
  void probing() {
    quietRounds = QUIET_ROUNDS;
  }

  /** The application held the rate back in a round; where it goes on so, nothing is compared. */
  void heldBack() {
    heldBackRounds++;
    if (heldBackRounds > QUIET_ROUNDS) {
      begin();
    }
  }

  /**
   * Notes a round that the window held back.
   *
   * @param rate at which packets arrived
   * @param isBound whether the queue has held the window back lately
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

  /** Whether others take what is given up. */
  boolean isYielding() {
    return yielding;
  }
}
