package io.cascade.coding.control;

/**
 * Decides how many packets may be in flight and at which rate they are sent. Handles packets, not
 * symbols: packets whose content the code recovers still count as lost.
 *
 * <p>Packets are counted by ordinals, 0, 1, 2 … in the order of sending. Times are nanoseconds of
 * the sender's clock unless they are stated to be the receiver's.
 */
public interface RateController {
  /** A packet has been sent. */
  void onSent(long nowNanos, long ordinal);

  /**
   * A packet has arrived.
   *
   * @param delayNanos from sending to arrival; the two clocks need not agree, so only differences
   *     between packets are meaningful
   */
  void onArrived(long ordinal, long sentNanos, long delayNanos);

  /** A packet is considered lost. */
  void onLost(long ordinal);

  /**
   * A packet is abandoned without information on the path's losses: nothing arrives at all, or
   * nothing of its length.
   */
  void onAbandoned(long ordinal);

  /**
   * All packets of an acknowledgement were reported.
   *
   * @param roundTripNanos of its largest packet, or −1 if that was acknowledged before
   * @param inFlight packets still in flight
   */
  void onFeedback(long nowNanos, long roundTripNanos, int inFlight);

  /**
   * Nothing was heard for a probe time-out.
   *
   * @param inARow number of consecutive time-outs, 1 for the first
   */
  void onTimeout(int inARow);

  /** Most packets in flight, at least 1. */
  double windowPackets();

  /** Packets per second, above 0. */
  double packetsPerSecond();

  /** The state in one word, for people. */
  String mode();
}
