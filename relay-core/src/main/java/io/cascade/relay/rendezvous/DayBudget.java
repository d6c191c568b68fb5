package io.cascade.relay.rendezvous;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bytes that may be moved in a day. The first day begins at the start of the relay. Thread-safe.
 */
final class DayBudget {
  private static final long DAY_NANOS = Duration.ofDays(1).toNanos();

  private final long mostBytes;
  private final LongSupplier nanoClock;
  private long sinceNanos;
  private long movedBytes;

  DayBudget(long mostBytes, LongSupplier nanoClock) {
    this.mostBytes = mostBytes;
    this.nanoClock = nanoClock;
    this.sinceNanos = nanoClock.getAsLong();
  }

  /** Subtracts bytes that were moved. */
  synchronized void moved(long bytes) {
    day();
    movedBytes += bytes;
  }

  /** Bytes left for the day; 0 if all are used. */
  synchronized long leftBytes() {
    day();
    return Math.max(0, mostBytes - movedBytes);
  }

  private void day() {
    long now = nanoClock.getAsLong();
    if (now - sinceNanos >= DAY_NANOS) {
      sinceNanos = now;
      movedBytes = 0;
    }
  }
}
