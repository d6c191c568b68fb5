package io.cascade.orchestrator.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The time of day, for people and for the store, and a steady time, for durations.
 *
 * <p>The time of day may be stepped at any moment, by hand or by NTP. The steady time begins at the
 * time of day of the process's start and then follows the monotonic clock alone. Whatever has an
 * age or a deadline within this process is noted in steady time, and only what is shown or stored
 * is converted.
 */
public final class Timekeeper {
  private final Clock clock;
  private final LongSupplier nanos;
  private final Instant startedAt;
  private final long startedNanos;

  /**
   * @param clock the time of day
   * @param nanos a monotonic clock with an arbitrary origin, in nanoseconds
   */
  public Timekeeper(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.startedAt = clock.instant().truncatedTo(ChronoUnit.MICROS);
    this.startedNanos = nanos.getAsLong();
  }

  /** The time of day, to the microsecond: what the database keeps, too. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** The steady time, to the microsecond. Never compare it with {@link #now}. */
  public Instant steady() {
    return startedAt.plus((nanos.getAsLong() - startedNanos) / 1_000, ChronoUnit.MICROS);
  }

  /**
   * The time of day of a moment of steady time, to within a second, so that what is shown again and
   * again does not change with every correction of a clock.
   */
  public Instant timeOfDay(Instant steady) {
    Duration ahead = Duration.between(steady(), now());
    return steady.plusSeconds(Math.round(ahead.toMillis() / 1e3));
  }

  /**
   * The steady time of something that was stored by the time of day, perhaps by an earlier process.
   * What seems to lie in the future, because the clock was set back since, is taken to be of now.
   */
  public Instant steady(Instant timeOfDay) {
    Instant steady = steady();
    Duration age = Duration.between(timeOfDay, now());
    return age.isNegative() ? steady : steady.minus(age);
  }

  /**
   * The time of day before which whatever ended has ended for so long beyond doubt: by the time of
   * day, by the steady time, and while this process ran. {@link Instant#MIN} until there is one. A
   * clock that was set ahead since the start moves it by no more than what passed; one that was
   * wrong at the start has so long to be set right.
   */
  public Instant endedFor(Duration age) {
    if (nanos.getAsLong() - startedNanos < age.toNanos()) {
      return Instant.MIN;
    }
    Instant now = now();
    Instant steady = steady();
    return (now.isBefore(steady) ? now : steady).minus(age);
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
