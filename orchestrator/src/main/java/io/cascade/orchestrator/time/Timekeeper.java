package io.cascade.orchestrator.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The time of day, and a steady time for durations.
 *
 * @param clock the time of day
 * @param nanos a time that never jumps, from an arbitrary start
 */
public record Timekeeper(Clock clock, LongSupplier nanos) {

  /** Now, to the microsecond: what the database keeps, too. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** A mark to measure from. */
  public long mark() {
    return nanos.getAsLong();
  }

  /** Milliseconds since {@link #mark} gave {@code mark}, to the microsecond. */
  public double millisSince(long mark) {
    long micros = (nanos.getAsLong() - mark) / 1_000;
    return micros / 1e3;
  }

  /** Whether so much time has passed since {@code mark}. */
  public boolean passed(long mark, Duration duration) {
    return nanos.getAsLong() - mark >= duration.toNanos();
  }
}
