package io.cascade.coding.control;

/**
 * Detects a queue that this sender alone fills and that drops nothing yet: the window grew by a
 * quarter, and neither the queue nor what arrives in a round trip did. Where others fill the queue,
 * a window that is small hardly makes it longer, but what arrives grows with the window.
 */
final class FullQueue {
  private static final double GROWTH = 1.25;
  private static final double SAME_QUEUE = 1.05;
  private static final double SAME_DELIVERY = 0.9;

  /** Rounds over which what arrives is averaged. */
  private static final double ROUNDS = 4;

  private double window;
  private double queue;
  private double delivered;
  private double arrivedMean;
  private double windowMean;
  private double windowBefore;

  void begin(double windowPackets) {
    restart();
    windowBefore = windowPackets;
    windowMean = windowPackets;
    arrivedMean = windowPackets;
  }

  /** The window was cut, or grows by other rules: what comes is compared with what comes first. */
  void restart() {
    window = 0;
  }

  /**
   * Notes a round. What arrives in it was sent with the window of the round before.
   *
   * @param arrived packets
   */
  void note(double windowPackets, int arrived) {
    arrivedMean += (arrived - arrivedMean) / ROUNDS;
    windowMean += (windowBefore - windowMean) / ROUNDS;
    windowBefore = windowPackets;
  }

  boolean isCompared() {
    return window > 0;
  }

  /** Begins to compare what comes with this round. */
  void compareWith(double windowPackets, double queueNanos) {
    window = windowPackets;
    queue = queueNanos;
    delivered = arrivedMean / windowMean;
  }

  /**
   * Whether the window has grown by a quarter since, in vain.
   *
   * @param ofOthers length above which a queue may be full, in ns
   */
  boolean hasGrownInVain(double windowPackets, double queueNanos, double ofOthers) {
    if (windowPackets < GROWTH * window) {
      return false;
    }
    boolean inVain =
        queueNanos > ofOthers
            && queueNanos < SAME_QUEUE * queue
            && arrivedMean / windowMean < SAME_DELIVERY * delivered;
    compareWith(windowPackets, queueNanos);
    return inVain;
  }
}
