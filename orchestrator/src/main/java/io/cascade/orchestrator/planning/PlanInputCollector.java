package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Collects the inputs of a plan: usable relays, and how they reach the destination. */
@Component
class PlanInputCollector {
  private final RelayRegistry relays;
  private final DestinationProbes probes;

  PlanInputCollector(RelayRegistry relays, DestinationProbes probes) {
    this.relays = relays;
    this.probes = probes;
  }

  /**
   * Has relays probe the destination, and collects the inputs of a plan.
   *
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  PlanInputs collect(PlanCall asked) {
    return collect(asked, true);
  }

  /** Counts the source's own connections to the destination within its hour. */
  void observed(PlanRequest request) {
    int connections = SourceObservations.of(request.source()).toDestination();
    if (connections > 0) {
      int probing = (int) relays.all().stream().filter(RegisteredRelay::isUp).count();
      probes.made(Destinations.parse(request.destination()), connections, probing);
    }
  }

  /** Collects the inputs of a plan between two relays, without probes of a destination. */
  PlanInputs collectBetweenRelays(PlanCall asked) {
    return collect(asked, false);
  }

  private PlanInputs collect(PlanCall asked, boolean toDestination) {
    PlanRequest request = asked.request();
    List<String> via = asked.via();
    Set<String> avoid = asked.avoid();
    check(request.destination(), via, avoid);
    HostPort destination = Destinations.parse(request.destination());
    UsableRelays usable =
        via.isEmpty()
            ? UsableRelays.up(relays.all(), avoid)
            : UsableRelays.required(via.stream().map(relays::known).toList());
    RegisteredRelay site = site(request.source());
    SourceObservations observations = SourceObservations.of(request.source());
    return new PlanInputs(
        destination,
        usable,
        site,
        asked.ingress(),
        relayAt(destination),
        toDestination ? reach(asked, destination, usable, site) : new DestinationReach(Map.of()),
        observations,
        request.client());
  }

  /**
   * Has every relay that may be the egress probe the destination, and the relay at the source's
   * site.
   */
  private DestinationReach reach(
      PlanCall asked, HostPort destination, UsableRelays usable, @Nullable RegisteredRelay site) {
    Map<String, RegisteredRelay> probing = new LinkedHashMap<>(usable.byName());
    if (!asked.via().isEmpty()) {
      probing.keySet().retainAll(Set.of(asked.via().getLast()));
    }
    if (site != null) {
      probing.put(site.name(), site);
    }
    probing.values().removeIf(RegisteredRelay::isGone);
    return new DestinationReach(
        asked.stored()
            ? probes.known(probing.keySet(), destination, asked.guarded())
            : probes.probe(probing.values(), destination, asked.guarded(), asked.thorough()));
  }

  private @Nullable RegisteredRelay site(@Nullable Source source) {
    return source == null || source.relay() == null ? null : relays.known(source.relay());
  }

  private @Nullable String relayAt(HostPort destination) {
    List<String> there =
        relays.all().stream()
            .filter(relay -> relay.hop().host().equalsIgnoreCase(destination.host()))
            .map(RegisteredRelay::name)
            .toList();
    // With several relays on the host it is unclear which link stands for the path.
    return there.size() == 1 ? there.getFirst() : null;
  }

  /**
   * Checks a request as far as that is possible without measurements.
   *
   * @throws Refusal if the destination or the relays are invalid
   */
  static void check(String destination, List<String> via, Collection<String> avoid) {
    Destinations.parse(destination);
    Set<String> seen = new HashSet<>();
    for (String relay : via) {
      if (relay == null || !seen.add(relay)) {
        throw new Refusal(
            ProblemKind.INVALID_ROUTE, "via: " + relay + " twice (expected: each relay once)");
      }
      if (avoid.contains(relay)) {
        throw new Refusal(
            ProblemKind.INVALID_ROUTE, "via: " + relay + " (expected: none of those to avoid)");
      }
    }
  }
}
