package io.cascade.model.planning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Relays that a request excludes independently of their routes. */
final class Exclusions {

  private final Topology topology;
  private final RouteQuestion request;
  private final RouteLimits limits;
  private final Map<String, String> reasons = new HashMap<>();

  Exclusions(Topology topology, RouteQuestion request) {
    this.topology = topology;
    this.request = request;
    this.limits = request.limits();
    for (String relay : request.avoid()) {
      reasons.put(relay, "to be avoided");
    }
    for (String relay : topology.relaysWithTerms()) {
      if (!isEnd(relay)) {
        reason(relay).ifPresent(reason -> reasons.putIfAbsent(relay, reason));
      }
    }
    if (!limits.allowedSites().isEmpty()) {
      for (String relay : topology.nodes()) {
        if (!isEnd(relay) && topology.relayTerms(relay).site().isEmpty()) {
          reasons.putIfAbsent(relay, "its site is unknown");
        }
      }
    }
  }

  boolean excludes(String node) {
    return !isEnd(node) && reasons.containsKey(node);
  }

  /** Lists the exclusions in the order of names. */
  List<Exclusion> list() {
    List<Exclusion> list = new ArrayList<>();
    for (String relay : topology.nodes()) {
      if (excludes(relay)) {
        list.add(new Exclusion(relay, reasons.getOrDefault(relay, "")));
      }
    }
    return list;
  }

  private boolean isEnd(String node) {
    return node.equals(request.source()) || node.equals(request.destination());
  }

  private Optional<String> reason(String relay) {
    RelayTerms terms = topology.relayTerms(relay);
    if (terms.site().isPresent()) {
      String site = terms.site().get();
      boolean allowed = limits.allowedSites().isEmpty() || limits.allowedSites().contains(site);
      if (!allowed || limits.forbiddenSites().contains(site)) {
        return Optional.of("its site is not allowed: " + site);
      }
    }
    OptionalDouble free = terms.freeBitsPerSecond();
    if (free.isPresent() && free.getAsDouble() == 0) {
      return Optional.of("nothing of its capacity is free");
    }
    OptionalDouble perHour = limits.mostPricePerHour();
    if (perHour.isPresent() && terms.pricePerHour() > perHour.getAsDouble()) {
      return Optional.of(aboveCeiling(terms.pricePerHour(), "per hour", perHour.getAsDouble()));
    }
    OptionalDouble perGibibyte = limits.mostPricePerGibibyte();
    if (perGibibyte.isPresent() && leastTraffic(relay) > perGibibyte.getAsDouble()) {
      return Optional.of(aboveCeiling(leastTraffic(relay), "per GiB", perGibibyte.getAsDouble()));
    }
    return Optional.empty();
  }

  /** The cheapest way to leave a relay. */
  private double leastTraffic(String relay) {
    return topology.linksFrom(relay).keySet().stream()
        .mapToDouble(to -> topology.pricePerGibibyte(relay, to))
        .min()
        .orElse(0);
  }

  private static String aboveCeiling(double price, String unit, double ceiling) {
    return String.format(
        Locale.ROOT, "its price of %s %s is above the ceiling of %s", price, unit, ceiling);
  }
}
