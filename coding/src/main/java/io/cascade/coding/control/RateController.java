package io.cascade.coding.control;

/**
 * Decides how many packets may be in flight and how fast they leave. Sees packets, never symbols:
 * what the code repairs counts as lost all the same.
 *
 * <p>Packets are counted by ordinals, 0, 1, 2 … in the order of sending. Times are nanoseconds of
 * the sender's clock but where they are said to be the receiver's.
 */
public interface RateController {
  /** A packet has been sent. */
  void onSent(long nowNanos, long ordinal);

  /**
   * A packet has arrived.
   *
   * @param delayNanos from sending to arrival; the two clocks need not agree, so only differences
   *     between packets mean something
   */
  void onArrived(long ordinal, long sentNanos, long delayNanos);

  /** A packet is taken to be lost. */
  void onLost(long ordinal);

  /**
   * A packet is given up, and that says nothing of what the path loses: nothing arrives at all, or
   * nothing of its length.
   */
  void onAbandoned(long ordinal);

  /**
   * Everything in an acknowledgement has been told.
   *
   * @param roundTripNanos of its largest packet, or −1 where that was known before
   * @param inFlight packets still under way
   */
  void onFeedback(long nowNanos, long roundTripNanos, int inFlight);

  /**
   * Nothing was heard for a probe time-out.
   *
   * @param inARow 1 for the first
   */
  void onTimeout(int inARow);

  /** Most packets in flight, at least 1. */
  double windowPackets();

  /** Pace, above 0. */
  double packetsPerSecond();

  /** The state in one word, for people. */
  String mode();
}
