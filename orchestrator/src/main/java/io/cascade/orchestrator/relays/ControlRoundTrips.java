package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.orchestrator.time.Timekeeper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Round-trip times from the orchestrator to relays: a TCP handshake with the control port takes one
 * round trip and nothing of the relay's own time. Smoothed as in RFC 6298, α = 1/8.
 */
@Component
public class ControlRoundTrips {
  private static final double ALPHA = 1.0 / 8;
  private static final int HANDSHAKES = 3;
  private static final int TIMEOUT_MILLIS = 3_000;

  private final Map<String, Double> smoothedMillis = new ConcurrentHashMap<>();
  private final Timekeeper time;

  ControlRoundTrips(Timekeeper time) {
    this.time = time;
  }

  public OptionalDouble smoothedMillis(String relay) {
    Double known = smoothedMillis.get(relay);
    return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
  }

  /**
   * Blocks for some round trips. A relay that does not answer leaves the estimate as it is. The
   * least of a few: a busy machine only ever adds.
   */
  void measure(RegisteredRelay relay) {
    Endpoint control = relay.control();
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < HANDSHAKES; i++) {
      try (Socket socket = new Socket()) {
        InetSocketAddress address = new InetSocketAddress(control.host(), control.port());
        long start = time.mark();
        socket.connect(address, TIMEOUT_MILLIS);
        least = Math.min(least, time.millisSince(start));
      } catch (IOException e) {
        return; // Whether the relay is well is not judged here.
      }
    }
    smoothedMillis.merge(relay.name(), least, (before, now) -> before + ALPHA * (now - before));
  }

  /** Blocks for a round trip. Whether the relay's host says that nobody listens at its port. */
  boolean isRefused(RegisteredRelay relay) {
    Endpoint control = relay.control();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(control.host(), control.port()), TIMEOUT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // Silence, or no route: that says nothing of the process.
    }
  }

  @EventListener
  void on(RelayFact.Registered fact) {
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
