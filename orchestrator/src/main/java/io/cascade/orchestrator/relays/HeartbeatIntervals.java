package io.cascade.orchestrator.relays;

import java.time.Duration;

/**
 * Intervals of reports, and the silences that count.
 *
 * @param interval between two reports; of relays, while something needs their measurements
 */
public record HeartbeatIntervals(Duration interval) {
  private static final int MISSED = 3;
  private static final int SLOWER_AT_REST = 5;
  private static final Duration LONGEST_AT_REST = Duration.ofSeconds(5);
  private static final int SILENT_INTERVALS = 10;

  /** All relays together send at most 200 heartbeats a second. */
  private static final Duration OF_EACH_RELAY = Duration.ofMillis(5);

  private static final Duration LEAST_SILENCE = Duration.ofSeconds(10);

  public HeartbeatIntervals {
    if (interval.compareTo(Duration.ofMillis(50)) < 0
        || interval.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException(
          "heartbeat: " + interval.toMillis() + " ms (expected: 50 ms to 5 minutes)");
    }
  }

  /** Three reports were missed: the third was due, and had half an interval's grace. */
  public Duration lostAfter() {
    return interval.multipliedBy(MISSED).plus(interval.dividedBy(2));
  }

  /** Interval of relays' heartbeats while nothing needs their measurements. */
  Duration atRest() {
    return longer(interval, shorter(interval.multipliedBy(SLOWER_AT_REST), LONGEST_AT_REST));
  }

  /** The interval of one of so many relays. */
  static Duration among(int relays, Duration interval) {
    return longer(interval, OF_EACH_RELAY.multipliedBy(relays));
  }

  /**
   * The least silence of a relay that counts, whatever is usual for it: ten intervals or ten
   * seconds, whichever is shorter, and no less than {@link #lostAfter}.
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
