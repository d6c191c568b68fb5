package io.cascade.orchestrator.relays;

import java.time.Duration;

/**
 * Interval of relays' reports, and the silence after which a relay counts as lost.
 *
 * @param interval between two heartbeats
 */
public record Heartbeats(Duration interval) {
  private static final int MISSED = 3;

  public Heartbeats {
    if (interval.compareTo(Duration.ofMillis(50)) < 0
        || interval.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException(
          "heartbeat: " + interval.toMillis() + " ms (expected: 50 ms to 5 minutes)");
    }
  }

  /** Three heartbeats were missed: the third was due, and had half an interval's grace. */
  public Duration lostAfter() {
    return interval.multipliedBy(MISSED).plus(interval.dividedBy(2));
  }

  public double seconds() {
    return interval.toNanos() / 1e9;
  }
}
