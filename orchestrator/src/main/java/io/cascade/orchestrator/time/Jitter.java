package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Spreads tasks that would otherwise run at the same moment everywhere.
 *
 * @param random used by many threads
 */
public record Jitter(RandomGenerator random) {
  private static final double LEAST = 0.75;

  /** A random time between three quarters of {@code most} and {@code most}. */
  public Duration within(Duration most) {
    double share = LEAST + (1 - LEAST) * random.nextDouble();
    return Duration.ofNanos(Math.round(most.toNanos() * share));
  }
}
