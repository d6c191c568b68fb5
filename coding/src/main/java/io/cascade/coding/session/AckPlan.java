package io.cascade.coding.session;

import io.cascade.coding.wire.ArrivalMap;

/**
 * Plan of when an acknowledgement is due: a millisecond after the one before, or as soon as the
 * next packet comes where that is later; at 16 packets at the latest. So there are enough of them
 * in a round trip to see a queue by, and at most a thousand a second below 190 Mbit/s.
 */
final class AckPlan {
  private static final long SPACING_NANOS = 1_000_000;
  private static final int MOST_PACKETS = 16;
  private static final int LEAST_REACH_BYTES = 8;

  /** Acknowledgements in a row that may be lost before a packet's fate is never told. */
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

  /** Something else is worth telling at once. */
  void hurry(long nowNanos) {
    dueNanos = Math.min(dueNanos, nowNanos);
  }

  long dueNanos() {
    return dueNanos;
  }

  /** Returns the bytes of bitmap that the next acknowledgement has; it counts as sent. */
  int sent(long nowNanos) {
    usualPending = Math.max(pending, usualPending + (pending - usualPending) / 16);
    pending = 0;
    lastSentNanos = nowNanos;
    dueNanos = Long.MAX_VALUE;
    return Math.clamp(
        (long) Math.ceil(usualPending * REPEATED / 8), LEAST_REACH_BYTES, ArrivalMap.MOST_BYTES);
  }
}
