package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Spreads what would otherwise happen at the same moment everywhere.
 *
 * @param random used by many threads
 */
public record Jitter(RandomGenerator random) {
  private static final double LEAST = 0.75;

  /** Any time from three quarters of {@code most} to all of it. */
  public Duration within(Duration most) {
    double share = LEAST + (1 - LEAST) * random.nextDouble();
    return Duration.ofNanos(Math.round(most.toNanos() * share));
  }
}
