package io.cascade.relay.proxy;

import io.cascade.api.orchestrator.RouteTrial;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How streams to a destination go on.
 *
 * @param chain null for directly
 * @param trial whether the chain is to be tried against the direct way
 * @param valid for how long that may be believed without asking again
 */
public record Route(@Nullable UUID chain, boolean trial, Duration valid) {

  /** Whoever plans routes. */
  @FunctionalInterface
  public interface Planner {
    /**
     * Blocks until it is known, and the chain, if there is to be one, is open.
     *
     * @param trial what was found out so far; null where nothing was
     * @throws RuntimeException when nobody can say now
     */
    Route plan(String destination, @Nullable RouteTrial trial);
  }
}
