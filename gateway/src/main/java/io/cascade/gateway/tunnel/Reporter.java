package io.cascade.gateway.tunnel;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayInstructions;
import io.cascade.api.orchestrator.GatewayReport;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reports a gateway's status to the orchestrator, and applies the links that it answers with. If
 * the orchestrator does not answer, the links stay until the time has passed for which it allowed
 * them. Used by one thread.
 */
final class Reporter {
  private final Gateway gateway;
  private final OrchestratorClient orchestrator;
  private final RelaySigner signer;
  private final String version;
  private final @Nullable Endpoint listen;
  private final ManagedLinks links;
  private final UUID instance = UUID.randomUUID();
  private long keptNanos = Long.MAX_VALUE;
  private long heardNanos = System.nanoTime();

  /**
   * @param listen address at which other gateways reach this one; null where none can
   */
  Reporter(
      Gateway gateway,
      OrchestratorClient orchestrator,
      RelaySigner signer,
      String version,
      @Nullable Endpoint listen) {
    this.gateway = gateway;
    this.orchestrator = orchestrator;
    this.signer = signer;
    this.version = version;
    this.listen = listen;
    this.links = new ManagedLinks(gateway);
  }

  /** Sends a report and applies the answer; returns the seconds until the next one. */
  double report() {
    GatewayReport unsigned = GatewayReports.of(gateway.status(), instance, version, listen);
    String name = gateway.settings().name();
    GatewayInstructions answer = orchestrator.report(name, signer.sign(name, unsigned));
    heardNanos = System.nanoTime();
    keptNanos = (long) (answer.keepSeconds() * 1e9);
    links.become(answer.links());
    return answer.reportSeconds();
  }

  /** Handles a report that failed. */
  void unheard() {
    if (System.nanoTime() - heardNanos > keptNanos) {
      links.become(List.of());
    }
  }
}
