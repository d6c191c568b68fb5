package io.cascade.coding.session;

import io.cascade.coding.wire.ArrivalMap;

/**
 * Decides when an acknowledgement is due: a millisecond after the previous one, or at the next
 * packet if that is later; at the latest after 16 packets. So there are enough of them in a round
 * trip to detect a queue, and at most a thousand a second below 190 Mbit/s.
 */
final class AckPlan {
  private static final long SPACING_NANOS = 1_000_000;
  private static final int MOST_PACKETS = 16;
  private static final int LEAST_REACH_BYTES = 8;

  /** Consecutive acknowledgements that may be lost before a packet's fate is never reported. */
  private static final int REPEATED = 24;

  private long lastSentNanos = Long.MIN_VALUE / 2;
  private long dueNanos = Long.MAX_VALUE;
  private int pending;
  private double usualPending = 1;

  /** A data packet has arrived. */
  void packetArrived(long nowNanos) {
    pending++;
    long due = pending >= MOST_PACKETS ? nowNanos : lastSentNanos + SPACING_NANOS;
    dueNanos = Math.min(dueNanos, Math.max(due, nowNanos));
  }

  /** Another reason demands an acknowledgement at once. */
  void hurry(long nowNanos) {
    dueNanos = Math.min(dueNanos, nowNanos);
  }

  long dueNanos() {
    return dueNanos;
  }

  /** Records that an acknowledgement is sent; returns the length of its bitmap in bytes. */
  int sent(long nowNanos) {
    usualPending = Math.max(pending, usualPending + (pending - usualPending) / 16);
    pending = 0;
    lastSentNanos = nowNanos;
    dueNanos = Long.MAX_VALUE;
    return Math.clamp(
        (long) Math.ceil(usualPending * REPEATED / 8), LEAST_REACH_BYTES, ArrivalMap.MOST_BYTES);
  }
}
