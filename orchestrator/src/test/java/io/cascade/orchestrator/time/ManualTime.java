package io.cascade.orchestrator.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** The two clocks of an orchestrator, moved by tests: together, or the time of day alone. */
public final class ManualTime {
  private final InstantSource wall;
  private final LongSupplier nanos;
  private final AtomicReference<Duration> wallAhead = new AtomicReference<>(Duration.ZERO);
  private final AtomicLong nanosAhead = new AtomicLong();

  private ManualTime(InstantSource wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
  }

  /** Time that stands still unless it is moved. */
  public static ManualTime from(Instant start) {
    return new ManualTime(() -> start, () -> 0);
  }

  /** The machine's clocks, and what they are moved by. */
  public static ManualTime running() {
    return new ManualTime(InstantSource.system(), System::nanoTime);
  }

  /** Time passes. */
  public void pass(Duration time) {
    nanosAhead.addAndGet(time.toNanos());
    step(time);
  }

  /** Somebody sets the time of day. */
  public void step(Duration by) {
    wallAhead.updateAndGet(ahead -> ahead.plus(by));
  }

  public Clock clock() {
    return new Clock() {
      @Override
      public ZoneOffset getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(java.time.ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return wall.instant().plus(wallAhead.get());
      }
    };
  }

  public LongSupplier nanos() {
    return () -> nanos.getAsLong() + nanosAhead.get();
  }

  public Timekeeper timekeeper() {
    return new Timekeeper(clock(), nanos());
  }
}
