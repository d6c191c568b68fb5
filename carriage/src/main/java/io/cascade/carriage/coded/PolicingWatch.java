package io.cascade.carriage.coded;

import io.cascade.coding.session.SessionAccount;

/**
 * Detects losses that may hold a session's data back on UDP and not on TCP, such as those of a
 * policer that drops UDP above a rate. Only a comparison distinguishes such losses from others. It
 * is due after two consecutive spans of 2 s in which data waited and 2 % of it was lost. If TCP was
 * not better, the next comparison is due 10 s later at the earliest, doubling to 10 min. Used by
 * one thread.
 */
final class PolicingWatch {
  private static final long SPAN_NANOS = 2_000_000_000L;
  private static final int SPANS = 2;
  private static final double LEAST_LOSS = 0.02;
  private static final long FIRST_WAIT_NANOS = 10_000_000_000L;
  private static final long LAST_WAIT_NANOS = 600_000_000_000L;

  private boolean hasBegun;
  private long begunNanos;
  private long sent;
  private long arrived;
  private int inFlight;

  /** Number of consecutive spans with losses, or, on TCP, with a lower rate than UDP's. */
  private int spans;

  private double packetsPerSecond;
  private boolean mustWait;
  private long dueNanos;
  private long waitNanos = FIRST_WAIT_NANOS;

  /**
   * Examines what UDP carries.
   *
   * @return whether it should be compared with TCP
   */
  boolean isDue(long nowNanos, SessionAccount account) {
    double rate = packetsPerSecond;
    if (span(nowNanos, account, false)) {
      rate = rate(nowNanos, account);
      spans = lossRate(account) >= LEAST_LOSS ? spans + 1 : 0;
      begin(nowNanos, account);
    }
    packetsPerSecond = rate;
    return spans >= SPANS && (!mustWait || nowNanos - dueNanos >= 0);
  }

  /**
   * Examines what TCP carries since UDP was left.
   *
   * @return whether that is less than UDP carried
   */
  boolean isWorse(long nowNanos, SessionAccount account) {
    if (span(nowNanos, account, true)) {
      spans = rate(nowNanos, account) < packetsPerSecond ? spans + 1 : 0;
      begin(nowNanos, account);
    }
    return spans >= SPANS;
  }

  /** Whether a span has ended in which data waited all the time. */
  private boolean span(long nowNanos, SessionAccount account, boolean isTcp) {
    if (!hasBegun || !account.isWaiting()) {
      begin(nowNanos, account);
      spans = account.isWaiting() || isTcp ? spans : 0;
      return false;
    }
    return nowNanos - begunNanos >= SPAN_NANOS;
  }

  private void begin(long nowNanos, SessionAccount account) {
    hasBegun = true;
    begunNanos = nowNanos;
    sent = account.packetsSent();
    arrived = account.packetsArrived();
    inFlight = account.inFlight();
  }

  private double rate(long nowNanos, SessionAccount account) {
    return (account.packetsArrived() - arrived) * 1e9 / (nowNanos - begunNanos);
  }

  private double lossRate(SessionAccount account) {
    double settled = account.packetsSent() - sent - (account.inFlight() - inFlight);
    return settled <= 0 ? 0 : 1 - (account.packetsArrived() - arrived) / settled;
  }

  /** Packets of data, including repairs, that UDP delivered in the last span. */
  double packetsPerSecond() {
    return packetsPerSecond;
  }

  /** The carrier has changed, so that earlier observations do not apply. */
  void wayChanged() {
    hasBegun = false;
    spans = 0;
  }

  /** TCP was not better, or could not be compared. */
  void noBetter(long nowNanos) {
    wayChanged();
    mustWait = true;
    dueNanos = nowNanos + waitNanos;
    waitNanos = Math.min(2 * waitNanos, LAST_WAIT_NANOS);
  }
}
