package io.cascade.orchestrator.gateways;

import io.cascade.api.orchestrator.GatewayLink;
import io.cascade.api.orchestrator.GatewayLinkState;
import io.cascade.api.orchestrator.GatewayReport;
import java.time.Instant;

/**
 * A gateway and its last report.
 *
 * @param heardAt in steady time
 */
record KnownGateway(String name, GatewayReport report, Instant heardAt) {
  boolean isUpTo(String peer) {
    return report.links().stream()
        .filter(link -> link.peer().equals(peer))
        .map(GatewayLink::state)
        .anyMatch(GatewayLinkState.UP::equals);
  }
}
