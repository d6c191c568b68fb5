package io.cascade.coding.control;

import java.util.Arrays;

/**
 * Observes for three rounds how far the queue falls after it was full. The window is constant
 * meanwhile, so that only other senders make the difference.
 */
final class QueueFall {
  private static final int ROUNDS = 3;

  /** A queue that is longer than this share of its peak has not fallen. */
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

  /** Stops observing. */
  void reset(double window) {
    left = 0;
    Arrays.fill(windows, window);
  }

  /** Records the window of a round, also while not observing. */
  void note(double window) {
    windows[rounds++ % WINDOWS] = window;
  }

  boolean isWatched() {
    return left > 0;
  }

  /**
   * A queue has begun to fall.
   *
   * @param topNanos its peak
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
    // Packets observed in a round were sent in the previous one, and the peak was a round ago.
    windowAtTop = windows[(rounds + 1) % WINDOWS];
  }

  /**
   * Ends a round.
   *
   * @param isUrgent whether there is no time to observe longer
   * @return whether that was the last one
   */
  boolean round(double meanNanos, boolean isLoss, boolean isUrgent) {
    low = Math.min(low, meanNanos);
    lossyRounds += isLoss ? 1 : 0;
    left = isUrgent ? 0 : left - 1;
    return left == 0;
  }

  /** The queue was longer before it fell than assumed. */
  void raiseTop(double nanos) {
    top = Math.max(top, nanos);
  }

  /**
   * Whether other senders have made room.
   *
   * @param ofOthers length above which a queue is not this sender's alone, in ns
   */
  boolean hasFallen(double ofOthers) {
    return top > ofOthers && low < FALLEN * top;
  }

  /** Decrease of the round trip as a share of it. */
  double depth(double lowestRoundTripNanos) {
    return (top - low) / (lowestRoundTripNanos + top);
  }

  /** Growth of the window since the queue's peak, as a factor. */
  double growth(double window) {
    return window / windowAtTop;
  }

  /** Whether losses caused the observation. */
  boolean isLossy() {
    return lossy;
  }

  /** Whether losses continued after the first ones. */
  boolean lossesWentOn() {
    return lossyRounds >= 2;
  }
}
