package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.client.measure.PathProbe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Paths of this host that matter to a plan: to the destination, and to each relay that is up.
 *
 * @param targets by the names that they have in an {@link Observation}
 */
record OwnPaths(Map<String, HostPort> targets) {
  /**
   * Asks the orchestrator which relays there are.
   *
   * @param allowed relays that may be used, by name
   */
  static OwnPaths to(
      HostPort destination, OrchestratorClient orchestrator, Predicate<String> allowed) {
    Map<String, HostPort> targets = new LinkedHashMap<>();
    targets.put("destination", destination);
    for (Relay relay : orchestrator.relays().relays()) {
      if (relay.status() == RelayStatus.UP && allowed.test(relay.name())) {
        targets.put(relay.name(), new HostPort(relay.hop().host(), relay.hop().port()));
      }
    }
    return new OwnPaths(targets);
  }

  int relays() {
    return targets.size() - 1;
  }

  /** Leaves out paths of which nothing was seen. */
  List<Observation> measure(PathProbe probe) throws InterruptedException {
    return probe.measure(targets).stream().filter(seen -> seen.sent() > 0).toList();
  }
}
