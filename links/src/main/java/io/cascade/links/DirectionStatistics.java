package io.cascade.links;

/**
 * Counts of one direction of a link since it was made. Packets in flight are those accepted and
 * neither forwarded, lost nor dropped in one of three ways.
 *
 * @param forwardedPackets that arrived at the far end
 * @param lostPackets by the configured loss or an outage
 * @param droppedPackets that found the queue full
 * @param overflowedPackets that found the emulator itself full, or that the far end refused: not
 *     part of any model, so 0 in a valid measurement
 * @param policedPackets that exceeded the policer's rate
 * @param earlyPackets that the queue's management dropped
 * @param markedPackets that it marked instead, and that were sent on
 * @param queueBytes bytes waiting at present
 */
public record DirectionStatistics(
    long takenPackets,
    long takenBytes,
    long forwardedPackets,
    long forwardedBytes,
    long lostPackets,
    long droppedPackets,
    long overflowedPackets,
    long policedPackets,
    long earlyPackets,
    long markedPackets,
    long queueBytes) {
  /** Packets that were dropped in the queue or before it. */
  public long allDroppedPackets() {
    return droppedPackets + policedPackets + earlyPackets;
  }
}
