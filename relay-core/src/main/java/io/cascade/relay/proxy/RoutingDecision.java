package io.cascade.relay.proxy;

import io.cascade.api.orchestrator.RouteTrial;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The planner's decision for streams to a destination.
 *
 * @param chain that streams use; null for the direct path
 * @param trial whether the chain is to be compared with the direct path
 * @param valid time until the next request to the planner
 */
public record RoutingDecision(@Nullable UUID chain, boolean trial, Duration valid) {

  /** Plans routes. */
  @FunctionalInterface
  public interface Planner {
    /**
     * Plans a route. Blocks until the chain, if any, is open.
     *
     * @param trial result of a trial so far; null if there is none
     * @throws RuntimeException if no decision is available now
     */
    RoutingDecision plan(String destination, @Nullable RouteTrial trial);
  }
}
