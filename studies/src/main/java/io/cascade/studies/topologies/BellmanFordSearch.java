package io.cascade.studies.topologies;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The best routes from a region by a value that is combined hop by hop: the recursion of Bellman
 * and Ford with one round for each hop, so that the number of relays can be bounded.
 *
 * <p>The result is exact if a detour through a region of the route never improves it, as for sums
 * of round trips and for the least of throughputs.
 *
 * @param values of single hops
 * @param join combines a route's value and the next hop's
 * @param start value of a route without hops
 * @param lessIsBetter whether the smaller value is better; of equal values the one with fewer hops
 *     is chosen
 */
record BellmanFordSearch(
    PairTable values, DoubleBinaryOperator join, double start, boolean lessIsBetter) {

  private record Way(double value, List<String> nodes) {}

  /** Search for the least sum. */
  static BellmanFordSearch leastSum(PairTable values) {
    return new BellmanFordSearch(values, Double::sum, 0, true);
  }

  /** Search for the greatest value of the least hop. */
  static BellmanFordSearch widest(PairTable values) {
    return new BellmanFordSearch(values, Math::min, Double.POSITIVE_INFINITY, false);
  }

  /** The best route to every reachable region; the direct path is one of the candidates. */
  Map<String, List<String>> from(String source, int mostRelays) {
    Map<String, Way> best = new HashMap<>();
    Map<String, Way> latest = Map.of(source, new Way(start, List.of(source)));
    for (int hop = 0; hop <= mostRelays && !latest.isEmpty(); hop++) {
      Map<String, Way> next = new HashMap<>();
      latest.forEach((_, way) -> extend(way, best, next));
      best.putAll(next);
      latest = next;
    }
    Map<String, List<String>> routes = new HashMap<>();
    best.forEach((to, way) -> routes.put(to, way.nodes()));
    return routes;
  }

  private void extend(Way way, Map<String, Way> best, Map<String, Way> next) {
    values
        .valuesFrom(way.nodes().getLast())
        .forEach((to, value) -> {
          double joined = join.applyAsDouble(way.value(), value);
          boolean improves = betters(joined, best.get(to)) && betters(joined, next.get(to));
          if (improves && !way.nodes().contains(to)) {
            List<String> nodes = new ArrayList<>(way.nodes());
            nodes.add(to);
            next.put(to, new Way(joined, nodes));
          }
        });
  }

  private boolean betters(double value, @Nullable Way other) {
    return other == null || (lessIsBetter ? value < other.value() : value > other.value());
  }
}
