package io.cascade.orchestrator.gateways;

import io.cascade.api.orchestrator.Gateway;
import io.cascade.api.orchestrator.GatewayInstructions;
import io.cascade.api.orchestrator.GatewayList;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelList;
import io.cascade.api.orchestrator.TunnelRequest;
import io.cascade.orchestrator.contract.GatewaysApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class GatewaysController implements GatewaysApi {
  /** Time for which gateways serve alone by default. */
  private static final Duration KEPT_ALONE = Duration.ofDays(7);

  private final GatewayBook gateways;
  private final TunnelBook tunnels;
  private final HeartbeatIntervals heartbeats;

  GatewaysController(GatewayBook gateways, TunnelBook tunnels, HeartbeatIntervals heartbeats) {
    this.gateways = gateways;
    this.tunnels = tunnels;
    this.heartbeats = heartbeats;
  }

  @Override
  public ResponseEntity<GatewayList> listGateways() {
    return ResponseEntity.ok(
        new GatewayList(gateways.all().stream().map(gateways::document).toList()));
  }

  @Override
  public ResponseEntity<Gateway> showGateway(String name) {
    return ResponseEntity.ok(gateways.document(gateways.known(name)));
  }

  @Override
  public ResponseEntity<Void> forgetGateway(String name) {
    List<String> used =
        tunnels.all().stream()
            .filter(tunnel -> tunnel.gateways().contains(name))
            .map(tunnel -> tunnel.id().toString())
            .toList();
    if (!used.isEmpty()) {
      throw new Refusal(
          ProblemKind.GATEWAY_IN_USE,
          name + ": used by tunnel " + String.join(", ", used) + "; fix: close what uses it first");
    }
    gateways.forget(name);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<GatewayInstructions> reportGateway(String name, GatewayReport report) {
    gateways.report(name, report);
    return ResponseEntity.ok(
        new GatewayInstructions(
            heartbeats.seconds(), (double) KEPT_ALONE.toSeconds(), tunnels.links(name)));
  }

  @Override
  public ResponseEntity<TunnelList> listTunnels() {
    return ResponseEntity.ok(
        new TunnelList(tunnels.all().stream().map(tunnels::document).toList()));
  }

  @Override
  public ResponseEntity<Tunnel> openTunnel(TunnelRequest request) {
    return ResponseEntity.status(HttpStatus.CREATED).body(tunnels.open(request));
  }

  @Override
  public ResponseEntity<Tunnel> showTunnel(UUID tunnelId) {
    return ResponseEntity.ok(tunnels.document(tunnels.known(tunnelId)));
  }

  @Override
  public ResponseEntity<Void> closeTunnel(UUID tunnelId) {
    tunnels.close(tunnelId);
    return ResponseEntity.noContent().build();
  }
}
