package io.cascade.orchestrator.relays;

import java.time.Duration;

/**
 * Time after which lost relays leave the registry.
 *
 * @param after time since they were last seen, a minute to ten years
 */
public record ForgetLost(Duration after) {
  private static final Duration LEAST = Duration.ofMinutes(1);
  private static final Duration MOST = Duration.ofDays(3_650);

  public ForgetLost {
    if (after.compareTo(LEAST) < 0 || after.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "forget lost after: " + after.toSeconds() + " s (expected: 1 minute to 3650 days)");
    }
  }

  /** Whether the number of seconds is within the range. */
  public static boolean allows(double seconds) {
    return seconds >= LEAST.toSeconds() && seconds <= MOST.toSeconds();
  }
}
