package io.cascade.packets.queue;

/**
 * Decides which packets a queue drops or marks so that its delay stays short: CoDel (RFC 8289).
 * When packets have waited longer than the target for an interval, one is dropped, and further ones
 * after interval/√n, with n drops so far, until the delay is below the target.
 *
 * <p>Target and interval may change with the rate at which the queue drains.
 *
 * <p>Worked value: target 5 ms, interval 100 ms, a standing queue of 10 ms from t = 0: drops at 100
 * ms, 200 ms (100/√1 later), 270.7 ms (100/√2), 328.4 ms (100/√3).
 */
final class CoDel {
  private long firstAboveNanos;
  private boolean isAbove;
  private boolean isDropping;
  private long nextDropNanos;
  private int drops;
  private int dropsBefore;

  /**
   * Whether a packet that leaves the queue now must be dropped, or marked instead.
   *
   * @param targetNanos delay to aim for
   * @param intervalNanos in which senders react
   * @param sojournNanos time that it has waited
   * @param isLast whether the queue is empty without it: one packet is no queue
   */
  boolean drops(
      long nowNanos, long targetNanos, long intervalNanos, long sojournNanos, boolean isLast) {
    boolean mayDrop = mayDrop(nowNanos, targetNanos, intervalNanos, sojournNanos, isLast);
    if (!mayDrop) {
      isDropping = false;
      return false;
    }
    if (!isDropping) {
      isDropping = true;
      // A queue that was above the target recently continues at the same drop rate (RFC 8289
      // section 5.4).
      boolean isRecent = nowNanos - nextDropNanos < 16 * intervalNanos;
      int since = drops - dropsBefore;
      drops = since > 1 && isRecent ? since : 1;
      dropsBefore = drops;
      nextDropNanos = nowNanos + gap(intervalNanos);
      return true;
    }
    if (nowNanos < nextDropNanos) {
      return false;
    }
    drops++;
    nextDropNanos += gap(intervalNanos);
    return true;
  }

  /** The queue's old packets were removed, so that earlier observations no longer apply. */
  void reset() {
    isAbove = false;
    isDropping = false;
  }

  private boolean mayDrop(
      long nowNanos, long targetNanos, long intervalNanos, long sojournNanos, boolean isLast) {
    if (sojournNanos < targetNanos || isLast) {
      isAbove = false;
      return false;
    }
    if (!isAbove) {
      isAbove = true;
      firstAboveNanos = nowNanos + intervalNanos;
    }
    return nowNanos >= firstAboveNanos;
  }

  private long gap(long intervalNanos) {
    return (long) (intervalNanos / Math.sqrt(drops));
  }
}
