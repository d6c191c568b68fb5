package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.names.NamedPeer;
import io.cascade.orchestrator.time.Timekeeper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Round-trip times from the orchestrator to relays: of a ping over the control connection or, for a
 * relay on this machine without one, of a TCP handshake with its control port ({@link
 * ControlPorts}). Smoothed as in RFC 6298, α = 1/8.
 */
@Component
public class ControlRoundTrips {
  private static final double ALPHA = 1.0 / 8;
  private static final int ATTEMPTS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final Map<String, Double> smoothedMillis = new ConcurrentHashMap<>();
  private final ControlConnections connections;
  private final ControlPorts ports;
  private final Timekeeper time;

  ControlRoundTrips(ControlConnections connections, ControlPorts ports, Timekeeper time) {
    this.connections = connections;
    this.ports = ports;
    this.time = time;
  }

  public OptionalDouble smoothedMillis(String relay) {
    Double known = smoothedMillis.get(relay);
    return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
  }

  /**
   * Measures some round trips; blocks. Uses the least, since a busy machine only adds delay. If the
   * relay does not answer, the estimate stays.
   */
  void measure(RegisteredRelay relay) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < ATTEMPTS; i++) {
      OptionalDouble millis = millis(relay);
      if (millis.isEmpty()) {
        return; // the relay's status is judged elsewhere
      }
      least = Math.min(least, millis.getAsDouble());
    }
    smoothedMillis.merge(relay.name(), least, (before, now) -> before + ALPHA * (now - before));
  }

  private OptionalDouble millis(RegisteredRelay relay) {
    Optional<ControlConnection> kept = connections.of(relay);
    if (kept.isPresent()) {
      return kept.get().roundTripMillis(TIMEOUT);
    }
    Optional<Endpoint> port = ports.of(relay);
    return port.isPresent() ? handshakeMillis(port.get()) : OptionalDouble.empty();
  }

  private OptionalDouble handshakeMillis(Endpoint control) {
    try {
      return handshakeMillis(NamedPeer.resolve(control.host(), control.port()));
    } catch (UnknownHostException e) {
      return OptionalDouble.empty();
    }
  }

  /** Duration of a TCP handshake; of several addresses the one that connects first. */
  OptionalDouble handshakeMillis(NamedPeer control) {
    try (Socket socket = new Socket()) {
      SocketAddress address = control.quickest(TIMEOUT);
      long start = time.mark();
      socket.connect(address, (int) TIMEOUT.toMillis());
      return OptionalDouble.of(time.millisSince(start));
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * Whether the relay's process has ended: its control connection has and, if it has a control port
   * on this machine, no process listens there. Blocks for a round trip.
   */
  boolean isRefused(RegisteredRelay relay) {
    if (connections.of(relay).isPresent()) {
      return false;
    }
    Optional<Endpoint> port = ports.of(relay);
    if (port.isEmpty()) {
      return connections.hasEnded(relay);
    }
    try {
      return refuses(NamedPeer.resolve(port.get().host(), port.get().port()));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether no process listens at any of the addresses, in any order. */
  static boolean refuses(NamedPeer control) {
    return control.addresses().stream()
        .allMatch(address -> refusesAt(new NamedPeer(List.of(address), control.port())));
  }

  private static boolean refusesAt(NamedPeer address) {
    try (SocketChannel _ = address.connect(TIMEOUT)) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // a timeout or a missing route shows nothing about the process
    }
  }

  @EventListener
  void on(RelayFact.Registered fact) {
    measureSoon(fact.relay());
  }

  @EventListener
  void on(RelayFact.Connected fact) {
    measureSoon(fact.relay());
  }

  @EventListener
  void on(RelayFact.Restarted fact) {
    smoothedMillis.remove(fact.relay().name());
    measureSoon(fact.relay());
  }

  @EventListener
  void on(RelayFact.Forgotten fact) {
    smoothedMillis.remove(fact.relay().name());
  }

  void measureSoon(RegisteredRelay relay) {
    Thread.ofVirtual().name("control-rtt-" + relay.name()).start(() -> measure(relay));
  }
}
