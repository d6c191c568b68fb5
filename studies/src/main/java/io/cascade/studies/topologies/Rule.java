package io.cascade.studies.topologies;

import io.cascade.model.planning.Decision;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A rule that chooses a route by the values of a grid. */
@FunctionalInterface
interface Rule {

  Choice choose(String from, String to);

  /** Uses no relays. */
  static Rule direct() {
    return (from, to) -> Choice.of(List.of(from, to));
  }

  /** Searches all routes, including the direct path. */
  static Rule best(BellmanFordSearch search, CloudGrid grid, int mostRelays) {
    Map<String, Map<String, List<String>>> routes = new HashMap<>();
    grid.regions().forEach(from -> routes.put(from, search.from(from, mostRelays)));
    return (from, to) -> {
      List<String> route = routes.getOrDefault(from, Map.of()).get(to);
      return Choice.of(Objects.requireNonNull(route, () -> "no route from " + from + " to " + to));
    };
  }

  /** The least sum of round trips. */
  static Rule leastRoundTrip(CloudGrid grid, int mostRelays) {
    return best(BellmanFordSearch.leastSum(grid.roundTripMillis()), grid, mostRelays);
  }

  /** The greatest throughput, with each hop's throughput taken as exact. */
  static Rule measuredThroughput(CloudGrid grid, int mostRelays) {
    return best(BellmanFordSearch.widest(grid.megabitsPerSecond()), grid, mostRelays);
  }

  /**
   * The planner for an endless stream over one of the test's connections: a hop has as many
   * connections as were tested, and each relay forwards as many streams.
   *
   * @param relativeError uncertainty of each throughput that the planner is given
   */
  static Rule planner(CloudGrid grid, double relativeError, int mostRelays) {
    Topology topology = topology(grid, relativeError);
    RoutePlanner planner = new RoutePlanner();
    return (from, to) ->
        choice(
            planner.plan(topology, RouteQuestion.between(from, to).maxRelays(mostRelays).build()));
  }

  /** Converts a grid to links for the planner. */
  static Topology topology(CloudGrid grid, double relativeError) {
    Topology.Builder links = Topology.builder();
    for (CloudGrid.Pair pair : grid.pairs()) {
      links.link(
          pair.from(),
          pair.to(),
          RateObservation.ofTest(
                  grid.roundTripMillis().value(pair.from(), pair.to()).orElseThrow(),
                  grid.hopMegabits(pair.from(), pair.to()),
                  relativeError)
              .estimate());
    }
    return links.build();
  }

  private static Choice choice(RouteAnswer plan) {
    List<String> chosen = plan.route().nodes();
    if (plan.decision() != Decision.UNDECIDED || plan.bestCascade().isEmpty()) {
      return Choice.of(chosen);
    }
    List<String> direct = List.of(chosen.getFirst(), chosen.getLast());
    List<String> rival =
        plan.route().isDirect() ? plan.bestCascade().get().route().nodes() : direct;
    return new Choice(chosen, Optional.of(rival));
  }
}
