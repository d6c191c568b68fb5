package io.cascade.coding.control;

/**
 * Detects a queue that this sender alone fills and that does not drop yet: the window has grown by
 * a quarter, but neither the queue nor the packets that arrive in a round trip have. If others fill
 * the queue, growth of a small window hardly lengthens it, but more packets arrive.
 */
final class FullQueue {
  private static final double GROWTH = 1.25;
  private static final double SAME_QUEUE = 1.05;
  private static final double SAME_DELIVERY = 0.9;

  /** Rounds over which arrivals are averaged. */
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

  /** The window was cut, or grows by other rules: the next round is the new reference. */
  void restart() {
    window = 0;
  }

  /**
   * Records a round. Its arrivals were sent with the window of the previous round.
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

  /** Makes this round the reference of later ones. */
  void compareWith(double windowPackets, double queueNanos) {
    window = windowPackets;
    queue = queueNanos;
    delivered = arrivedMean / windowMean;
  }

  /**
   * Whether the window has grown by a quarter since the reference without effect.
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
