package io.cascade.coding.control;

/**
 * Queueing delay of packets: their delay above the lowest one. In a round, slices of an eighth of a
 * round trip and at least four packets each count by their lowest packet, so that jitter does not
 * look like a queue.
 *
 * <p>The lowest delay falls at once. It is raised by probes, and by nothing else while this sender
 * is what fills the path: a minimum over a window of time would expire while a queue stands; then
 * that queue is believed to be the path's own. While the application holds back there are no
 * probes, and clocks of different rates move all delays: then it is the lowest of some seconds.
 */
final class QueueDelay {
  private static final int LEAST_PACKETS = 4;

  private double lowestNanos = Double.NaN;
  private double latelyNanos = Double.MAX_VALUE;
  private long lowestAtNanos;
  private long lastAtNanos;
  private double last;

  private long sliceStartNanos = Long.MIN_VALUE;
  private double sliceLowest;
  private int slicePackets;

  private double sum;
  private double low;
  private double high;
  private int slices;

  /** Forgets the round before. */
  void beginRound() {
    sum = 0;
    slices = 0;
    low = Double.MAX_VALUE;
    high = 0;
    slicePackets = 0;
    sliceStartNanos = Long.MIN_VALUE;
  }

  /**
   * Notes an arrival.
   *
   * @return the packet's queueing delay, 0 or more
   */
  double arrived(long receivedNanos, double delayNanos, double roundTripNanos) {
    lastAtNanos = receivedNanos;
    if (Double.isNaN(lowestNanos) || delayNanos <= lowestNanos) {
      lowestNanos = delayNanos;
      lowestAtNanos = receivedNanos;
    }
    latelyNanos = Math.min(latelyNanos, delayNanos);
    last = delayNanos - lowestNanos;
    if (slicePackets == 0) {
      sliceStartNanos = receivedNanos;
      sliceLowest = last;
    }
    sliceLowest = Math.min(sliceLowest, last);
    slicePackets++;
    if (slicePackets >= LEAST_PACKETS && receivedNanos - sliceStartNanos >= roundTripNanos / 8) {
      closeSlice();
    }
    return last;
  }

  private void closeSlice() {
    sum += sliceLowest;
    low = Math.min(low, sliceLowest);
    high = Math.max(high, sliceLowest);
    slices++;
    slicePackets = 0;
  }

  /** Ends the round: what was not enough for a slice counts where there is nothing else. */
  void endRound() {
    if (slicePackets >= LEAST_PACKETS || (slices == 0 && slicePackets > 0)) {
      closeSlice();
    }
  }

  /** The delay of the packet that arrived last, in ns. */
  double last() {
    return last;
  }

  /** Mean of the round's slices, in ns. */
  double mean() {
    return slices == 0 ? last : sum / slices;
  }

  double low() {
    return slices == 0 ? last : low;
  }

  double high() {
    return slices == 0 ? last : high;
  }

  /** Begins to look for the lowest delay from now on. */
  void beginLook() {
    latelyNanos = Double.MAX_VALUE;
  }

  /** Has the lowest delay since the last look begun count, and begins another one. */
  void endLook() {
    if (latelyNanos != Double.MAX_VALUE) {
      lowestNanos = latelyNanos;
      lowestAtNanos = lastAtNanos;
    }
    beginLook();
  }

  /** Forgets the lowest delay: clocks of different rates move it while nothing is sent. */
  void forget() {
    lowestNanos = Double.NaN;
    last = 0;
    beginLook();
    beginRound();
  }

  /** A probe has found the path empty, or longer than it was. */
  void raise(double nanos) {
    lowestNanos += nanos;
    lowestAtNanos = lastAtNanos;
  }

  /** Time since a packet had the lowest delay, in ns of the receiver's clock. */
  double lowestAgeNanos() {
    return lastAtNanos - lowestAtNanos;
  }
}
