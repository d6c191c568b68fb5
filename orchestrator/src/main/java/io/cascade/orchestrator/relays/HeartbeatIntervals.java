package io.cascade.orchestrator.relays;

import java.time.Duration;

/**
 * Intervals of reports, and the silences after which reporters count as lost.
 *
 * @param interval interval between two reports; for relays, while their measurements are needed
 */
public record HeartbeatIntervals(Duration interval) {
  private static final int MISSED = 3;
  private static final int SLOWER_AT_REST = 5;
  private static final Duration LONGEST_AT_REST = Duration.ofSeconds(5);
  private static final int SILENT_INTERVALS = 10;

  /** Interval per relay, so that all relays together send at most 200 heartbeats a second. */
  private static final Duration OF_EACH_RELAY = Duration.ofMillis(5);

  private static final Duration LEAST_SILENCE = Duration.ofSeconds(10);

  public HeartbeatIntervals {
    if (interval.compareTo(Duration.ofMillis(50)) < 0
        || interval.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException(
          "heartbeat: " + interval.toMillis() + " ms (expected: 50 ms to 5 minutes)");
    }
  }

  /** Silence after which three reports were missed, with half an interval's grace for the third. */
  public Duration lostAfter() {
    return interval.multipliedBy(MISSED).plus(interval.dividedBy(2));
  }

  /** Interval of relays' heartbeats while their measurements are not needed. */
  Duration atRest() {
    return longer(interval, shorter(interval.multipliedBy(SLOWER_AT_REST), LONGEST_AT_REST));
  }

  /** The interval of each relay for a number of relays. */
  static Duration among(int relays, Duration interval) {
    return longer(interval, OF_EACH_RELAY.multipliedBy(relays));
  }

  /**
   * The shortest silence after which a relay counts as silent, regardless of its usual delays: ten
   * intervals or ten seconds, whichever is shorter, but at least {@link #lostAfter}.
   */
  public Duration leastSilence() {
    return longer(lostAfter(), shorter(interval.multipliedBy(SILENT_INTERVALS), LEAST_SILENCE));
  }

  public double seconds() {
    return seconds(interval);
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
