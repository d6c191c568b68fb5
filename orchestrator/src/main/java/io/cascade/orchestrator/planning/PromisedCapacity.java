package io.cascade.orchestrator.planning;

import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.links.PathEnds;
import java.util.HashMap;
import java.util.Map;

/**
 * Capacity of relays and links that is promised to open chains by their predictions, in bit/s, at
 * one moment. A plan over 100 relays reads 10,000 links, each by one look-up.
 */
public final class PromisedCapacity {
  private final Map<String, Double> relays = new HashMap<>();
  private final Map<PathEnds, Double> links = new HashMap<>();

  /** Adds a chain's promise, for every relay and every link of its route. */
  public void add(RouteHops route, double bitsPerSecond) {
    route.relays().forEach(relay -> relays.merge(relay, bitsPerSecond, Double::sum));
    route.all().stream()
        .map(hop -> new PathEnds(hop.from(), hop.to()))
        .distinct()
        .forEach(link -> links.merge(link, bitsPerSecond, Double::sum));
  }

  /** Promised capacity of a relay, of all chains together, in bit/s. */
  public double of(String relay) {
    return relays.getOrDefault(relay, 0.0);
  }

  /** Promised capacity of the link between two relays, of all chains together, in bit/s. */
  public double of(String from, String to) {
    return links.getOrDefault(new PathEnds(from, to), 0.0);
  }
}
