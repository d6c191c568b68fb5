package io.cascade.relay.proxy;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How streams to a destination go on.
 *
 * @param chain null for directly
 * @param valid for how long that may be believed without asking again
 */
public record Route(@Nullable UUID chain, Duration valid) {

  /** Whoever plans routes. */
  @FunctionalInterface
  public interface Planner {
    /**
     * Blocks until it is known, and the chain, if there is to be one, is open.
     *
     * @throws RuntimeException when nobody can say now
     */
    Route plan(String destination);
  }
}
