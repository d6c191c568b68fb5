package io.cascade.orchestrator.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The time of day, for people and for the store, and a steady time, for durations.
 *
 * <p>The time of day may be stepped at any moment, by hand or by NTP. The steady time starts at the
 * time of day of the process's start and then follows the monotonic clock only. Everything with an
 * age or a deadline within this process is recorded in steady time; only what is shown or stored is
 * converted.
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

  /** The time of day, in microseconds, which is the database's precision. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** The steady time, in microseconds. Must not be compared with {@link #now}. */
  public Instant steady() {
    return startedAt.plus((nanos.getAsLong() - startedNanos) / 1_000, ChronoUnit.MICROS);
  }

  /**
   * Converts steady time to time of day. Their offset is rounded to whole seconds, so that a
   * repeatedly shown time does not change with every adjustment of a clock.
   */
  public Instant timeOfDay(Instant steady) {
    Duration ahead = Duration.between(steady(), now());
    return steady.plusSeconds(Math.round(ahead.toMillis() / 1e3));
  }

  /**
   * Converts a stored time of day, perhaps of an earlier process, to steady time. A time in the
   * future, from before the clock was set back, becomes the present time.
   */
  public Instant steady(Instant timeOfDay) {
    Instant steady = steady();
    Duration age = Duration.between(timeOfDay, now());
    return age.isNegative() ? steady : steady.minus(age);
  }

  /**
   * Time of day before which everything that ended has certainly ended this long ago: by the time
   * of day, by the steady time, and while this process ran. {@link Instant#MIN} until there is one.
   * A clock that was set ahead since the start moves it by at most the time that passed; one that
   * was wrong at the start has this long to be corrected.
   */
  public Instant endedFor(Duration age) {
    if (nanos.getAsLong() - startedNanos < age.toNanos()) {
      return Instant.MIN;
    }
    Instant now = now();
    Instant steady = steady();
    return (now.isBefore(steady) ? now : steady).minus(age);
  }

  /** A mark of the monotonic clock to measure from, in nanoseconds. */
  public long mark() {
    return nanos.getAsLong();
  }

  /** Milliseconds since {@link #mark} returned {@code mark}, to the microsecond. */
  public double millisSince(long mark) {
    long micros = (nanos.getAsLong() - mark) / 1_000;
    return micros / 1e3;
  }

  /** Whether the duration has passed since {@code mark}. */
  public boolean passed(long mark, Duration duration) {
    return nanos.getAsLong() - mark >= duration.toNanos();
  }
}
