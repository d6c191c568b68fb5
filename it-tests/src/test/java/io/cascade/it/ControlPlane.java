package io.cascade.it;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.RelayStatus;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An orchestrator as tests ask it, whether it is a process or a container.
 *
 * @param token null where it wants none
 */
record ControlPlane(URI address, @Nullable String token) {

  OrchestratorClient client() {
    return new OrchestratorClient(address, token);
  }

  /** Opens a chain to a destination through exactly these relays. */
  Chain open(String destination, List<String> via) {
    return open(destination, via, Map.of());
  }

  /**
   * Opens a chain with options, see {@link #open(String, List)}.
   *
   * @param options by the names that the contract has for them
   */
  Chain open(String destination, List<String> via, Map<String, ?> options) {
    ChainOptions chosen = Json.strict().convertValue(options, ChainOptions.class);
    return client()
        .open(
            ChainRequest.builder().destination(destination).via(via).options(chosen).build(), null);
  }

  /** Whether it hears of so many relays. */
  boolean hearsOf(int relays) {
    return client().relays().relays().stream()
            .filter(relay -> relay.status() == RelayStatus.UP)
            .count()
        == relays;
  }

  boolean isIn(UUID chain, ChainState state) {
    return client().chain(chain).state() == state;
  }

  /** Whether it answers, hears of so many relays, and every one of these chains is whole. */
  boolean isAsWanted(int relays, Collection<UUID> chains) {
    try {
      return hearsOf(relays) && chains.stream().allMatch(id -> isIn(id, ChainState.READY));
    } catch (UnreachableException | ProblemException e) {
      return false;
    }
  }
}
