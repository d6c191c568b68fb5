package io.cascade.packets.queue;

/**
 * Bounds of a queue.
 *
 * @param mostPackets in all flows; beyond it the longest flow loses its oldest packet
 * @param targetNanos delay that CoDel aims for if packets leave quickly
 * @param intervalNanos for which the delay may be longer, about a round trip; also the longest
 *     target if packets leave slowly
 * @param mostSojournNanos after which a packet is dropped independent of CoDel: its sender has
 *     retransmitted it by then
 */
public record QueueLimits(
    int mostPackets, long targetNanos, long intervalNanos, long mostSojournNanos) {
  public static final QueueLimits USUAL =
      new QueueLimits(1_024, 5_000_000, 100_000_000, 500_000_000);

  public QueueLimits {
    if (mostPackets < 2) {
      throw new IllegalArgumentException("packets: " + mostPackets + " (expected: >= 2)");
    }
    if (targetNanos <= 0 || intervalNanos < targetNanos || mostSojournNanos < targetNanos) {
      throw new IllegalArgumentException(
          "target: " + targetNanos + " ns (expected: above 0, below interval and sojourn)");
    }
  }
}
