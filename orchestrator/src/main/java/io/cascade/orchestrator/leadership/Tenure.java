package io.cascade.orchestrator.leadership;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * An orchestrator's right to lead, in one epoch. It expires by the monotonic clock unless it is
 * renewed, so an orchestrator that was suspended or partitioned knows without a call that another
 * one may lead now. Its delayed writes and calls are refused by their epoch, in the database and at
 * relays. Thread-safe.
 */
public final class Tenure {
  /** Time after which an orchestrator that does not renew its seat loses it. */
  static final Duration LENGTH = Duration.ofSeconds(10);

  private final long epoch;
  private final boolean isUnlimited;
  private final LongSupplier nanos;
  private volatile long until;
  private volatile boolean isOver;

  /**
   * @param isUnlimited whether no other process can take the seat
   * @param nanos the monotonic clock
   * @param asked when the seat was requested, by that clock
   */
  Tenure(long epoch, boolean isUnlimited, LongSupplier nanos, long asked) {
    this.epoch = epoch;
    this.isUnlimited = isUnlimited;
    this.nanos = nanos;
    this.until = asked + LENGTH.toNanos();
  }

  /** The epoch; greater than that of every earlier leader. */
  public long epoch() {
    return epoch;
  }

  public boolean isHeld() {
    return !isOver && (isUnlimited || nanos.getAsLong() - until < 0);
  }

  /**
   * Records a renewal of the seat.
   *
   * @param asked when the renewal was requested; the database counts from a later moment
   */
  void renewed(long asked) {
    until = asked + LENGTH.toNanos();
  }

  void end() {
    isOver = true;
  }
}
