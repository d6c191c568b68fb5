package io.cascade.relay;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.relay.control.ControlConnection;
import io.cascade.relay.control.ControlRequests;
import io.cascade.relay.control.ControlServer;
import io.cascade.relay.probe.ConnectProbe;
import io.cascade.relay.telemetry.RelayMetrics;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives control calls over two ways: a port for tools on the host, and the connection over which
 * the orchestrator calls.
 */
final class RelayControl implements AutoCloseable {
  private final RelayParts parts;
  private final RelayMetrics metrics;
  private final ControlRequests requests;
  private volatile @Nullable ControlServer server;
  private volatile @Nullable ControlConnection connection;

  RelayControl(RelayParts parts, ControlAdapter adapter) {
    RelaySettings settings = parts.settings();
    this.parts = parts;
    this.metrics =
        new RelayMetrics(
            settings.name(),
            settings.site(),
            parts.identity().instance().toString(),
            adapter,
            parts.hopPort().probes());
    this.requests =
        new ControlRequests(
            parts.chains(),
            adapter,
            new ConnectProbe(parts.destinations(), parts.names(), parts.sockets())::probe,
            parts.tests(),
            metrics::scrape);
  }

  /**
   * Opens the port.
   *
   * @param takesOver whether a predecessor may still hold the port
   */
  void open(boolean takesOver) throws IOException {
    RelaySettings settings = parts.settings();
    InetSocketAddress at = new InetSocketAddress(settings.controlListen(), settings.controlPort());
    long deadline = System.nanoTime() + TakeOver.PATIENCE.toNanos();
    while (server == null) {
      try {
        server = ControlServer.start(at, settings.controlToken(), requests);
      } catch (BindException e) {
        if (!takesOver || System.nanoTime() > deadline) {
          throw e;
        }
        RelayNode.pauseBriefly();
      }
    }
  }

  /** Begins to keep a connection to the orchestrator open. */
  void connect(OrchestratorClient orchestrator, BooleanSupplier isRegistered) {
    RelaySettings settings = parts.settings();
    ControlConnection kept =
        new ControlConnection(
            orchestrator,
            settings.name(),
            () ->
                Objects.requireNonNull(parts.identity().signer())
                    .sign(settings.name(), parts.identity().instance()),
            isRegistered,
            requests);
    connection = kept;
    kept.start();
  }

  /** Address of the control port. */
  InetSocketAddress address() {
    return Objects.requireNonNull(server, "the relay has not started").address();
  }

  /** Whether the number is that of the control port. */
  boolean isAt(int port) {
    ControlServer answering = server;
    return answering != null && answering.address().getPort() == port;
  }

  @Override
  public void close() {
    ControlConnection kept = connection;
    if (kept != null) {
      kept.close();
    }
    ControlServer answering = server;
    if (answering != null) {
      answering.close();
    }
    metrics.close();
  }
}
