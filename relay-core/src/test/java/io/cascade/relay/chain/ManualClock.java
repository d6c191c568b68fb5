package io.cascade.relay.chain;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A relay's clocks, moved by hand: time that passes, and steps of the time of day alone. */
public final class ManualClock {
  /** The time of day at the start. */
  public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicReference<Instant> wall = new AtomicReference<>(START);
  private final AtomicLong nanos;

  public ManualClock() {
    this(-1_000_000_000L); // nanoTime may be negative, and cross 0
  }

  /**
   * @param origin of the monotonic clock, which differs between boots
   */
  public ManualClock(long origin) {
    this.nanos = new AtomicLong(origin);
  }

  public RelayClock clock() {
    return new RelayClock(wall::get, nanos::get);
  }

  /** Moves both clocks. */
  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    step(time);
  }

  /** Moves the time of day alone. */
  public void step(Duration by) {
    wall.updateAndGet(now -> now.plus(by));
  }
}
