package io.cascade.orchestrator.relays;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.orchestrator.contract.RelaysApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.security.KeyBook;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RelaysController implements RelaysApi {
  /** Far more probes than a relay sends to a peer in a year; sums of them do not overflow. */
  private static final long MOST_PROBES = 1_000_000_000;

  /** Range of plausible round trips, in milliseconds; the model cannot use others. */
  private static final double LEAST_MILLIS = 0.0001;

  private static final double MOST_MILLIS = 3_600_000;

  private final RelayRegistry registry;
  private final RelayLimiting limiting;
  private final List<RelayUse> uses;
  private final DestinationReports destinations;
  private final KeyBook keys;

  RelaysController(
      RelayRegistry registry,
      RelayLimiting limiting,
      List<RelayUse> uses,
      DestinationReports destinations,
      KeyBook keys) {
    this.keys = keys;
    this.destinations = destinations;
    this.registry = registry;
    this.limiting = limiting;
    this.uses = uses;
  }

  @Override
  public ResponseEntity<RelayList> listRelays() {
    return ResponseEntity.ok(new RelayList(registry.all().stream().map(this::document).toList()));
  }

  @Override
  public ResponseEntity<Relay> showRelay(String name) {
    return ResponseEntity.ok(document(registry.known(name)));
  }

  @Override
  public ResponseEntity<RelayLimits> showRelayLimits(String name) {
    return ResponseEntity.ok(limiting.show(name));
  }

  @Override
  public ResponseEntity<RelayLimits> changeRelayLimits(String name, RelayLimits wanted) {
    return ResponseEntity.ok(limiting.change(name, wanted));
  }

  @Override
  public ResponseEntity<RelayInstructions> registerRelay(RelayRegistration registration) {
    Caller.current().mustSpeakFor(registration.name());
    Caller.current().mustHold(registration.publicKey());
    RelayInstructions instructions = registry.register(registration);
    keys.spoke(registration.name(), Caller.current());
    return ResponseEntity.ok(instructions);
  }

  @Override
  public ResponseEntity<RelayInstructions> heartbeat(String name, Heartbeat heartbeat) {
    List<LinkMeasurement> links = heartbeat.links();
    if (links != null) {
      links.forEach(RelaysController::check);
    }
    List<DestinationUse> used = Objects.requireNonNullElse(heartbeat.destinations(), List.of());
    List<HostPort> where = used.stream().map(RelaysController::destination).toList();
    RelayInstructions instructions = registry.heartbeat(name, heartbeat);
    keys.spoke(name, Caller.current());
    for (int i = 0; i < where.size(); i++) {
      destinations.direct(name, where.get(i), used.get(i));
    }
    return ResponseEntity.ok(instructions);
  }

  private static HostPort destination(@Nullable DestinationUse use) {
    if (use == null || use.destination() == null || use.streams() == null || use.bytes() == null) {
      throw invalid("destinations: each needs destination, streams and bytes");
    }
    Double rate = use.bitsPerSecond();
    if (use.streams() < 0
        || use.bytes() < 0
        || (rate != null && !(rate > 0 && Double.isFinite(rate)))) {
      throw invalid(
          "destinations: "
              + use.destination()
              + ": a negative number (expected: streams and bytes >= 0, a rate > 0)");
    }
    try {
      return HostPort.parse(use.destination());
    } catch (IllegalArgumentException e) {
      throw invalid("destinations: " + e.getMessage());
    }
  }

  @Override
  public ResponseEntity<Void> forgetRelay(String name) {
    registry.known(name);
    List<String> used = uses.stream().flatMap(use -> use.of(name).stream()).toList();
    if (!used.isEmpty()) {
      throw new Refusal(
          ProblemKind.RELAY_IN_USE,
          name + ": used by " + String.join(", ", used) + "; fix: close what uses it first");
    }
    registry.forget(name);
    return ResponseEntity.noContent().build();
  }

  /**
   * Refuses a request without an upgrade to WebSocket; {@link ControlEndpoint} handles those with
   * one.
   */
  @Override
  public ResponseEntity<Void> connectControl(
      UUID instance, Long sequence, String signature, String name) {
    throw new Refusal(ProblemKind.UPGRADE_REQUIRED, "expected: Upgrade: websocket");
  }

  @Override
  public ResponseEntity<Relay> drainRelay(String name) {
    return ResponseEntity.ok(document(registry.drain(name)));
  }

  @Override
  public ResponseEntity<Relay> useRelayAgain(String name) {
    return ResponseEntity.ok(document(registry.useAgain(name)));
  }

  private Relay document(RegisteredRelay relay) {
    return relay.document(registry.isDrained(relay.name()));
  }

  /** Checks what the contract's schema cannot express. */
  private static void check(@Nullable LinkMeasurement link) {
    if (link == null || link.peer() == null || link.sent() == null || link.received() == null) {
      throw invalid("links: each needs peer, sent, lost and received");
    }
    Long lost = link.lost();
    if (link.sent() > MOST_PROBES) {
      throw invalid(
          "links: "
              + link.peer()
              + ": "
              + link.sent()
              + " probes (expected: at most "
              + MOST_PROBES
              + ")");
    }
    if (lost == null || link.sent() < 0 || lost < 0 || lost > link.sent()) {
      throw invalid(
          "links: "
              + link.peer()
              + ": lost "
              + lost
              + " of "
              + link.sent()
              + " (expected: 0 <= lost <= sent)");
    }
    Long events = link.lossEvents();
    if (events != null && (events < 0 || events > lost)) {
      throw invalid(
          "links: "
              + link.peer()
              + ": lossEvents "
              + events
              + " (expected: 0 <= lossEvents <= lost, "
              + lost
              + ")");
    }
    for (Double millis : new Double[] {link.minRttMillis(), link.smoothedRttMillis()}) {
      if (millis != null && !(millis >= LEAST_MILLIS && millis <= MOST_MILLIS)) {
        throw invalid(
            "links: "
                + link.peer()
                + ": a round trip of "
                + millis
                + " ms (expected: 0.0001 to 3600000)");
      }
    }
    Double jitter = link.jitterMillis();
    if (jitter != null && !(jitter >= 0 && jitter <= MOST_MILLIS)) {
      throw invalid(
          "links: " + link.peer() + ": a jitter of " + jitter + " ms (expected: 0 to 3600000)");
    }
  }

  private static Refusal invalid(String detail) {
    return new Refusal(ProblemKind.INVALID_REQUEST, detail);
  }
}
