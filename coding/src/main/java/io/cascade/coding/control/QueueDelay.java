package io.cascade.coding.control;

/**
 * Queueing delay of packets: their delay above the lowest one. In a round, slices of an eighth of a
 * round trip and at least four packets each count by their lowest packet, so that jitter does not
 * look like a queue.
 *
 * <p>The lowest delay decreases at once. While this sender fills the path, only probes raise it: a
 * minimum over a time window would expire while a queue stands, and that queue would then count as
 * the path's own delay. While the application holds back there are no probes, and clocks of
 * different rates change all delays: then it is the lowest of some seconds.
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

  /** Discards the previous round. */
  void beginRound() {
    sum = 0;
    slices = 0;
    low = Double.MAX_VALUE;
    high = 0;
    slicePackets = 0;
    sliceStartNanos = Long.MIN_VALUE;
  }

  /**
   * Records an arrival.
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

  /** Ends the round: an incomplete slice counts only if there is no other. */
  void endRound() {
    if (slicePackets >= LEAST_PACKETS || (slices == 0 && slicePackets > 0)) {
      closeSlice();
    }
  }

  /** The delay of the last arrival, in ns. */
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

  /** Begins to measure the lowest delay anew. */
  void beginLook() {
    latelyNanos = Double.MAX_VALUE;
  }

  /** Adopts the lowest delay since the last measurement began, and begins another one. */
  void endLook() {
    if (latelyNanos != Double.MAX_VALUE) {
      lowestNanos = latelyNanos;
      lowestAtNanos = lastAtNanos;
    }
    beginLook();
  }

  /** Discards the lowest delay: clocks of different rates change it while no packet is sent. */
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
