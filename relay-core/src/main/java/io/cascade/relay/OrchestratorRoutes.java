package io.cascade.relay;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.relay.proxy.RoutingDecision;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Requests routes for a proxy's streams from the orchestrator. */
final class OrchestratorRoutes implements RoutingDecision.Planner {
  private final OrchestratorClient orchestrator;
  private final String relay;
  private final NodeIdentity identity;

  private OrchestratorRoutes(OrchestratorClient orchestrator, String relay, NodeIdentity identity) {
    this.orchestrator = orchestrator;
    this.relay = relay;
    this.identity = identity;
  }

  /** Makes the planner of a relay; null if the relay has no orchestrator. */
  static @Nullable OrchestratorRoutes of(RelayParts parts) {
    RelaySettings settings = parts.settings();
    return settings.orchestrators().isEmpty()
        ? null
        : new OrchestratorRoutes(
            new OrchestratorClient(settings.orchestrators(), settings.tokenText()),
            settings.name(),
            parts.identity());
  }

  @Override
  public RoutingDecision plan(String destination, @Nullable RouteTrial trial) {
    RouteAnswer answer =
        orchestrator.route(relay, new RouteQuestion(identity.instance(), destination, trial));
    return new RoutingDecision(
        answer.chainId(),
        Boolean.TRUE.equals(answer.trial()),
        Duration.ofSeconds(answer.validSeconds()));
  }
}
