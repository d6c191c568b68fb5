package io.cascade.coding.control;

import java.util.Arrays;

/**
 * Watches for three rounds how far the queue falls after it was full. The window stays what it is
 * meanwhile: only the others make the difference.
 */
final class QueueFall {
  private static final int ROUNDS = 3;

  /** A queue that is longer than this share of what it was has not fallen. */
  private static final double FALLEN = 0.85;

  private static final int WINDOWS = 4;

  private final double[] windows = new double[WINDOWS];
  private int rounds;
  private int left;
  private double top;
  private double low;
  private double windowAtTop;
  private boolean lossy;
  private int lossyRounds;

  /** Stops watching. */
  void reset(double window) {
    left = 0;
    Arrays.fill(windows, window);
  }

  /** Notes the window of a round, also while nothing is watched. */
  void note(double window) {
    windows[rounds++ % WINDOWS] = window;
  }

  boolean isWatched() {
    return left > 0;
  }

  /**
   * A queue has begun to fall.
   *
   * @param topNanos where it was longest
   */
  void fromTop(double topNanos, double meanNanos, boolean isLoss) {
    watch(ROUNDS - 1, topNanos, meanNanos, isLoss);
  }

  /** Packets were lost, so that a queue may be full. */
  void fromLoss(double topNanos, double meanNanos) {
    watch(ROUNDS, topNanos, meanNanos, true);
  }

  private void watch(int forRounds, double topNanos, double meanNanos, boolean isLoss) {
    left = forRounds;
    top = topNanos;
    low = meanNanos;
    lossy = isLoss;
    lossyRounds = 0;
    // What is seen in a round was sent a round before, and the longest queue was a round ago.
    windowAtTop = windows[(rounds + 1) % WINDOWS];
  }

  /**
   * Ends a round.
   *
   * @param isUrgent whether there is no time to watch on
   * @return whether that was the last one
   */
  boolean round(double meanNanos, boolean isLoss, boolean isUrgent) {
    low = Math.min(low, meanNanos);
    lossyRounds += isLoss ? 1 : 0;
    left = isUrgent ? 0 : left - 1;
    return left == 0;
  }

  /** The queue was longer than it had been before it fell. */
  void raiseTop(double nanos) {
    top = Math.max(top, nanos);
  }

  /**
   * Whether others have made room.
   *
   * @param ofOthers length above which a queue is not ours alone, in ns
   */
  boolean hasFallen(double ofOthers) {
    return top > ofOthers && low < FALLEN * top;
  }

  /** Fall of the round trip as a share of it. */
  double depth(double lowestRoundTripNanos) {
    return (top - low) / (lowestRoundTripNanos + top);
  }

  /** Growth of the window since the queue was longest, as a factor. */
  double growth(double window) {
    return window / windowAtTop;
  }

  /** Whether it was losses that made it worth watching. */
  boolean isLossy() {
    return lossy;
  }

  /** Whether losses went on after the first ones. */
  boolean lossesWentOn() {
    return lossyRounds >= 2;
  }
}
