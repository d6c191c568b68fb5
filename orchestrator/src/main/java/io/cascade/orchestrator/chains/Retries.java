package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;
import org.springframework.stereotype.Component;

/**
 * Delays before a failed task of a chain is tried again: doubled by every failure, up to half a
 * minute. Every rule has its own instance.
 */
@Component
@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
class Retries {
  static final Duration FIRST_WAIT = Duration.ofMillis(500);

  /** Doublings of the pause between two attempts, up to half a minute. */
  private static final int MOST_DOUBLINGS = 6;

  private final Timekeeper time;
  private final Jitter jitter;
  private final Map<UUID, Wait> waits = new ConcurrentHashMap<>();

  private record Wait(long since, Duration length, int failures) {}

  Retries(Timekeeper time, Jitter jitter) {
    this.time = time;
    this.jitter = jitter;
  }

  /** Whether there was no failure, or its delay has passed. */
  boolean due(UUID chain) {
    Wait wait = waits.get(chain);
    return wait == null || time.passed(wait.since(), wait.length());
  }

  void failed(UUID chain) {
    waits.compute(
        chain,
        (_, wait) -> after(wait == null ? 0 : Math.min(wait.failures() + 1, MOST_DOUBLINGS)));
  }

  private Wait after(int failures) {
    return new Wait(time.mark(), jitter.within(FIRST_WAIT.multipliedBy(1L << failures)), failures);
  }

  /** Resets a chain: its next failure counts as the first. */
  void forget(UUID chain) {
    waits.remove(chain);
  }

  void retain(Predicate<UUID> chains) {
    waits.keySet().removeIf(chains.negate());
  }
}
