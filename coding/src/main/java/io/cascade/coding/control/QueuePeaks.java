package io.cascade.coding.control;

/**
 * Detects by a queue's length that another sender which shares the queue has cut its window: the
 * round's mean falls well below a peak. A new peak needs a rise of a quarter from the preceding
 * valley, and must come near the higher ones of the last four. A queue no longer than this sender
 * alone would keep does not indicate another sender.
 */
final class QueuePeaks {
  private static final double FALL = 0.85;
  private static final double RISE = 1.25;
  private static final double NEAR = 0.7;
  private static final int KEPT = 4;

  /** Rounds in which the queue may still become shorter by this sender's own action. */
  private static final int QUIET_ROUNDS = 3;

  private final double[] peaks = new double[KEPT];
  private int count;
  private boolean rising = true;
  private double top;
  private double valley;
  private int quietRounds;
  private double fallenFrom;

  void reset() {
    count = 0;
    rising = true;
    top = 0;
    valley = 0;
    quietRounds = 0;
  }

  /** This sender has reduced the queue, so that a fall now does not indicate others. */
  void restart() {
    quietRounds = QUIET_ROUNDS;
  }

  /**
   * Records a round's mean.
   *
   * @param ofOthers queueing delay above which another sender takes part, in ns
   * @return whether the queue has just fallen from a peak above that
   */
  boolean note(double mean, double ofOthers) {
    if (quietRounds > 0) {
      quietRounds--;
      rising = true;
      top = mean;
      return false;
    }
    if (rising) {
      top = Math.max(top, mean);
      if (mean < FALL * top) {
        rising = false;
        valley = mean;
        fallenFrom = top;
        boolean isPeak = top >= NEAR * highest();
        if (isPeak) {
          peaks[count++ % KEPT] = top;
        }
        return isPeak && top > ofOthers;
      }
    } else {
      valley = Math.min(valley, mean);
      if (mean > RISE * valley) {
        rising = true;
        top = mean;
      }
    }
    return false;
  }

  /** Length from which the queue has last fallen. */
  double fallenFrom() {
    return fallenFrom;
  }

  /** The highest of the last four peaks; 0 if there is none. */
  double highest() {
    if (count == 0) {
      return 0;
    }
    double highest = 0;
    for (int i = 0; i < Math.min(count, KEPT); i++) {
      highest = Math.max(highest, peaks[i]);
    }
    return highest;
  }

  /** Longest known queue. */
  double peak() {
    return Math.max(highest(), top);
  }
}
