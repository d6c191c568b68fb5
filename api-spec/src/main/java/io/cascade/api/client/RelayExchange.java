package io.cascade.api.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries calls of the relay-control contract to one relay. */
@FunctionalInterface
public interface RelayExchange {
  /**
   * Sends a request and waits for the complete answer.
   *
   * @param path with its query
   * @param body JSON, or null for none
   * @param bounds of the whole exchange
   * @throws IOException if there is no complete answer in time
   */
  BoundedExchange.Response send(
      String method, String path, @Nullable String body, BoundedExchange.Bounds bounds)
      throws IOException;
}
