package io.cascade.lab;

import io.cascade.lab.Topology.LinkSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Next hops of a site's packets to every other site: over the fewest links, and of those over the
 * quickest. So a link between two sites carries their traffic even if a detour would be quicker, as
 * on the Internet; a relay on the detour can do better.
 */
final class Routes {
  private Routes() {}

  /** Maps each reachable site to the neighbour on the path to it. */
  static Map<String, String> from(String source, List<LinkSpec> links) {
    Map<String, List<Edge>> edges = new HashMap<>();
    for (LinkSpec link : links) {
      edges
          .computeIfAbsent(link.from(), site -> new ArrayList<>())
          .add(new Edge(link.to(), link.forward().delay().toNanos()));
      edges
          .computeIfAbsent(link.to(), site -> new ArrayList<>())
          .add(new Edge(link.from(), link.backward().delay().toNanos()));
    }
    Map<String, String> first = new HashMap<>();
    PriorityQueue<Reached> open =
        new PriorityQueue<>(
            Comparator.comparingInt(Reached::hops)
                .thenComparingLong(Reached::delayNanos)
                .thenComparing(Reached::site));
    open.add(new Reached(source, source, 0, 0));
    while (!open.isEmpty()) {
      Reached here = open.remove();
      if (first.putIfAbsent(here.site(), here.first()) != null) {
        continue;
      }
      for (Edge edge : edges.getOrDefault(here.site(), List.of())) {
        open.add(
            new Reached(
                edge.to(),
                here.site().equals(source) ? edge.to() : here.first(),
                here.hops() + 1,
                here.delayNanos() + edge.delayNanos()));
      }
    }
    first.remove(source);
    return first;
  }

  private record Edge(String to, long delayNanos) {}

  private record Reached(String site, String first, int hops, long delayNanos) {}
}
