package io.cascade.orchestrator.planning;

import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.links.PathEnds;
import java.util.HashMap;
import java.util.Map;

/**
 * Capacity of relays and links that open chains were predicted to take, in bits per second, as of
 * one moment. A plan over 100 relays asks for 10,000 links: each is a look-up here.
 */
public final class PromisedCapacity {
  private final Map<String, Double> relays = new HashMap<>();
  private final Map<PathEnds, Double> links = new HashMap<>();

  /** Adds what a chain was promised, on every relay and every link of its route. */
  public void add(RouteHops route, double bitsPerSecond) {
    route.relays().forEach(relay -> relays.merge(relay, bitsPerSecond, Double::sum));
    route.all().stream()
        .map(hop -> new PathEnds(hop.from(), hop.to()))
        .distinct()
        .forEach(link -> links.merge(link, bitsPerSecond, Double::sum));
  }

  /** Capacity of a relay that all chains together were promised, bit/s. */
  public double of(String relay) {
    return relays.getOrDefault(relay, 0.0);
  }

  /** Capacity of the link between two relays that all chains together were promised, bit/s. */
  public double of(String from, String to) {
    return links.getOrDefault(new PathEnds(from, to), 0.0);
  }
}
