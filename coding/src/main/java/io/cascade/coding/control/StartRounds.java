package io.cascade.coding.control;

/**
 * Detects when START has found the capacity: eight consecutive packets waited in a queue, two
 * rounds delivered little more than the previous one, or most packets were lost. Counts delivered
 * packets; a round of few packets decides nothing.
 */
final class StartRounds {
  private static final int QUEUED = 8;
  private static final int PLATEAU_PACKETS = 64;
  private static final double PLATEAU_GROWTH = 1.25;
  private static final int OVERLOAD_PACKETS = 40;
  private static final double HIGHEST_LOSS = 0.6;

  private int queuedInARow;
  private int plateaus;
  private int deliveredBefore;

  void forget() {
    queuedInARow = 0;
    plateaus = 0;
    deliveredBefore = 0;
  }

  /** Records an arrival, and whether it waited in a queue longer than the target. */
  void arrived(boolean isQueued) {
    queuedInARow = isQueued ? queuedInARow + 1 : 0;
  }

  boolean sawQueue() {
    return queuedInARow >= QUEUED;
  }

  /** Ends a round that filled the window; returns whether the capacity has been found. */
  boolean end(RoundStatistics round, BaseLossLearner base) {
    int delivered = round.arrived();
    boolean hasGrown = delivered >= PLATEAU_GROWTH * deliveredBefore;
    if (hasGrown) {
      base.startRoundGrew();
    } else if (delivered >= PLATEAU_PACKETS) {
      plateaus++;
    }
    deliveredBefore = delivered;
    boolean isOverloaded = round.packets() >= OVERLOAD_PACKETS && round.lossRate() > HIGHEST_LOSS;
    return plateaus >= 2 || isOverloaded || sawQueue();
  }
}
