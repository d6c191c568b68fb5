package io.cascade.orchestrator.leadership;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * An orchestrator's right to lead, in one epoch. It ends by itself, by the monotonic clock, where
 * it is not renewed: an orchestrator that was stopped or cut off meanwhile knows without asking
 * anybody that another one may lead now. What it has sent before arrives late and is refused by its
 * epoch, in the database and at relays. Thread-safe.
 */
public final class Tenure {
  /** How long the seat stays with an orchestrator that does not renew it. */
  static final Duration LENGTH = Duration.ofSeconds(10);

  private final long epoch;
  private final boolean isUnlimited;
  private final LongSupplier nanos;
  private volatile long until;
  private volatile boolean isOver;

  /**
   * @param isUnlimited whether nobody else can take the seat
   * @param nanos the monotonic clock
   * @param asked when the seat was asked for, by that clock
   */
  Tenure(long epoch, boolean isUnlimited, LongSupplier nanos, long asked) {
    this.epoch = epoch;
    this.isUnlimited = isUnlimited;
    this.nanos = nanos;
    this.until = asked + LENGTH.toNanos();
  }

  /** Greater than that of every leader before. */
  public long epoch() {
    return epoch;
  }

  public boolean isHeld() {
    return !isOver && (isUnlimited || nanos.getAsLong() - until < 0);
  }

  /**
   * The seat was kept.
   *
   * @param asked when that was asked for: the database counts from a later moment
   */
  void renewed(long asked) {
    until = asked + LENGTH.toNanos();
  }

  void end() {
    isOver = true;
  }
}
