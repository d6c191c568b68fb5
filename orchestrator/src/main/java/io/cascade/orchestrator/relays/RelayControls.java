package io.cascade.orchestrator.relays;

import io.cascade.api.client.BoundedExchange;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.orchestrator.leadership.Tenure;
import io.cascade.orchestrator.security.Access;
import io.cascade.orchestrator.security.KeyBook;
import io.cascade.orchestrator.time.Timekeeper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Calls relays over their control connections, for which a call waits. A relay without one is
 * called at its control port only within one machine ({@link ControlPorts}).
 */
@Component
public class RelayControls {
  /**
   * Time to wait for a control connection: a relay opens it as soon as it is registered, and again
   * when it has ended.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final String LEADS_NO_MORE = "this orchestrator no longer leads";

  private final Access access;
  private final KeyBook keys;
  private final ControlConnections connections;
  private final ControlPorts ports;
  private final Tenure tenure;
  private final Timekeeper time;

  RelayControls(
      Access access,
      KeyBook keys,
      ControlConnections connections,
      ControlPorts ports,
      Tenure tenure,
      Timekeeper time) {
    this.tenure = tenure;
    this.access = access;
    this.keys = keys;
    this.time = time;
    this.connections = connections;
    this.ports = ports;
  }

  /**
   * @throws UnreachableException if its control address is invalid, or this orchestrator no longer
   *     leads
   */
  public RelayControlClient of(RegisteredRelay relay) {
    URI named = URI.create("relay:" + relay.name());
    if (!tenure.isHeld()) {
      throw new UnreachableException(named, new IOException(LEADS_NO_MORE));
    }
    Optional<Endpoint> port = ports.of(relay);
    if (port.isPresent() && connections.of(relay).isEmpty()) {
      return new RelayControlClient(address(port.get()), token(relay.name())).in(tenure.epoch());
    }
    return RelayControlClient.over(
            (method, path, body, bounds) -> send(relay, method, path, body, bounds), named)
        .in(tenure.epoch());
  }

  private BoundedExchange.Response send(
      RegisteredRelay relay,
      String method,
      String path,
      @Nullable String body,
      BoundedExchange.Bounds bounds)
      throws IOException {
    long start = time.mark();
    Duration patience = bounds.deadline().compareTo(PATIENCE) < 0 ? bounds.deadline() : PATIENCE;
    ControlConnection connection =
        connections
            .await(relay, patience)
            .orElseThrow(() -> new ConnectException("it keeps no control connection"));
    if (!tenure.isHeld()) {
      throw new IOException(LEADS_NO_MORE);
    }
    Duration left = bounds.deadline().minusNanos(Math.round(time.millisSince(start) * 1e6));
    return connection
        .calls()
        .send(method, path, body, new BoundedExchange.Bounds(left, bounds.bodyBytes()));
  }

  /**
   * The token for the relay's port: derived from the relay's key if it has one of its own,
   * otherwise the shared one.
   */
  private @Nullable String token(String relay) {
    String own = keys.controlToken(relay);
    return own == null ? access.token() : own;
  }

  private static URI address(Endpoint control) {
    try {
      // The constructor puts an IPv6 address into brackets.
      return new URI("http", null, control.host(), control.port(), null, null, null);
    } catch (URISyntaxException e) {
      throw new UnreachableException("control address: " + e.getMessage(), e);
    }
  }
}
