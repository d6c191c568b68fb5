package io.cascade.relay.rendezvous;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Bytes that may be moved in a day. The first day begins at the start. Thread-safe. */
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

  /** Counts bytes that were moved. */
  synchronized void moved(long bytes) {
    day();
    movedBytes += bytes;
  }

  /** What is left of the day's bytes; 0 where all are spent. */
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
