package io.cascade.orchestrator.gateways;

import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.Gateway;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.statistics.StateCounts;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Gateways that report. A name belongs to the key that first reported with it. */
@Component
class GatewayBook implements StateCounts {
  static final int MOST_GATEWAYS = 1_000;

  private final GatewayStore store;
  private final HeartbeatIntervals heartbeats;
  private final Timekeeper time;
  private final Map<String, GatewayStore.Bound> keys;
  private final Map<String, Long> sequences = new HashMap<>();
  private final TreeMap<String, KnownGateway> gateways = new TreeMap<>();

  GatewayBook(GatewayStore store, HeartbeatIntervals heartbeats, Timekeeper time) {
    this.store = store;
    this.heartbeats = heartbeats;
    this.time = time;
    this.keys = store.all();
    keys.forEach((name, bound) -> sequences.put(name, bound.sequence()));
  }

  /**
   * Accepts a report.
   *
   * @throws Refusal if it was not signed by the name's key, or is a replay
   */
  void report(String name, GatewayReport report) {
    if (!RelayProof.holds(name, report)) {
      throw new Refusal(
          ProblemKind.GATEWAY_UNPROVEN,
          name + ": the report is not signed by the key that it names");
    }
    admit(name, report);
  }

  private synchronized void admit(String name, GatewayReport report) {
    GatewayStore.Bound bound = keys.get(name);
    if (bound == null) {
      if (keys.size() >= MOST_GATEWAYS) {
        throw new Refusal(
            ProblemKind.LIMIT_REACHED, MOST_GATEWAYS + " gateways are known; fix: forget some");
      }
      GatewayStore.Bound first = new GatewayStore.Bound(report.publicKey(), report.sequence());
      store.bind(name, first);
      keys.put(name, first);
    } else if (!bound.publicKey().equals(report.publicKey())) {
      throw new Refusal(
          ProblemKind.GATEWAY_UNPROVEN,
          name
              + ": its key is "
              + RelayProof.fingerprint(report.publicKey())
              + ", and the name belongs to "
              + RelayProof.fingerprint(bound.publicKey())
              + "; fix: start it with that gateway's identity file, or with another --name, or"
              + " release the name: DELETE /api/v1/gateways/"
              + name);
    } else if (report.sequence() <= sequences.getOrDefault(name, 0L)) {
      throw new Refusal(
          ProblemKind.STALE_MESSAGE,
          name
              + ": report "
              + report.sequence()
              + " (expected: a later one); fix: stop the other process of this name; if the"
              + " gateway's"
              + " identity file is an older copy, release the name: DELETE /api/v1/gateways/"
              + name);
    }
    sequences.put(name, report.sequence());
    gateways.put(name, new KnownGateway(name, report, time.steady()));
  }

  /**
   * @throws Refusal if no gateway of this name has reported since this orchestrator started
   */
  synchronized KnownGateway known(String name) {
    KnownGateway gateway = gateways.get(name);
    if (gateway == null) {
      throw new Refusal(
          ProblemKind.UNKNOWN_GATEWAY,
          name
              + ": no such gateway reports here (known: "
              + String.join(", ", gateways.keySet().stream().limit(20).toList())
              + "); fix: start it with cascade gateway up --name "
              + name
              + " --orchestrator URL");
    }
    return gateway;
  }

  synchronized Optional<KnownGateway> find(String name) {
    return Optional.ofNullable(gateways.get(name));
  }

  /** All gateways, by name. */
  synchronized List<KnownGateway> all() {
    return List.copyOf(gateways.values());
  }

  synchronized void forget(String name) {
    known(name);
    store.remove(name);
    keys.remove(name);
    sequences.remove(name);
    gateways.remove(name);
  }

  @Override
  public String name() {
    return "gateways";
  }

  @Override
  public Map<String, Long> byState() {
    return StateCounts.upOr("lost", all(), this::isLost);
  }

  boolean isLost(KnownGateway gateway) {
    Instant limit = time.steady().minus(heartbeats.lostAfter());
    return gateway.heardAt().isBefore(limit);
  }

  Gateway document(KnownGateway gateway) {
    Duration silent = Duration.between(gateway.heardAt(), time.steady());
    return new Gateway(
        gateway.name(), isLost(gateway), Math.max(0, silent.toMillis() / 1e3), gateway.report());
  }
}
