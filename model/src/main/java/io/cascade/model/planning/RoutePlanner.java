package io.cascade.model.planning;

import io.cascade.model.planning.RouteObjective.Bound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides whether a stream should take the direct path or a cascade, and which.
 *
 * <p>Routes come from {@link RouteSearch} in the order of a bound that no delivery beats. Each is
 * scored with the full model until the next bound is no better than the best score, so the best
 * route is found although only few are scored. Then the decision follows {@link Verdict}.
 *
 * <p>Has no state; one planner serves any number of threads.
 */
public final class RoutePlanner {

  /** Candidates through relays that a plan shows, besides the best of each number of relays. */
  private static final int SHOWN = 8;

  /**
   * Routes scored at most; where the bound cannot tell more than these apart, the best of them is
   * taken.
   */
  private static final int MOST_SCORED = 96;

  /** The best plan that the measurements support. */
  public Plan plan(Topology topology, PlanRequest request) {
    Forecaster forecaster = new Forecaster(topology, request);
    List<Candidate> cascades = new ArrayList<>();
    for (Route route : routesWorthShowing(topology, request, forecaster)) {
      cascades.add(forecaster.cascade(route));
    }
    Candidate direct = forecaster.direct();
    List<Candidate> rivals = forecaster.rivals();
    Optional<Candidate> bestCascade = Ranking.best(cascades);
    Verdict verdict = Verdict.of(direct, bestCascade);
    if (!request.via().isEmpty()) {
      verdict = new Verdict(Decision.CASCADE, verdict.gain());
    }

    List<Measurement> measureNext =
        verdict.decision() == Decision.UNDECIDED
            ? new NextMeasurements(topology, request).between(direct, bestCascade.orElseThrow())
            : List.of();
    boolean throughRelays =
        verdict.decision() == Decision.CASCADE
            || (verdict.decision() == Decision.UNDECIDED && verdict.cascadeLikelyBetter());
    Candidate chosen = throughRelays ? bestCascade.orElseThrow() : direct;

    List<Candidate> all = new ArrayList<>(cascades);
    all.add(direct);
    all.addAll(rivals);
    all.sort(Ranking.BY_LIKELY_COST);
    return new Plan(
        verdict.decision(),
        chosen,
        bestCascade,
        verdict.gain(),
        all,
        measureNext,
        new Explanation(request).of(verdict, direct, bestCascade, rivals, measureNext));
  }

  private static List<Route> routesWorthShowing(
      Topology topology, PlanRequest request, Forecaster forecaster) {
    if (!request.via().isEmpty()) {
      List<String> nodes = new ArrayList<>(request.via());
      nodes.addFirst(request.source());
      nodes.addLast(request.destination());
      return List.of(new Route(nodes));
    }
    if (request.maxRelays() == 0) {
      return List.of();
    }
    return new Shortlist(new RouteSearch(topology, request, forecaster), request, forecaster)
        .routes();
  }

  /** The routes that are scored, and of those the ones that a plan shows. */
  private static final class Shortlist {

    private final Forecaster forecaster;
    private final RouteObjective objective;
    private final List<RouteSearch.Routes> byHops = new ArrayList<>();
    private final List<Scored> scored = new ArrayList<>();
    private double leastCost = Double.POSITIVE_INFINITY;

    Shortlist(RouteSearch search, PlanRequest request, Forecaster forecaster) {
      this.forecaster = forecaster;
      this.objective = new RouteObjective(request.bytes(), request.framing().mssBytes());
      for (int relays = 1; relays <= request.maxRelays(); relays++) {
        byHops.add(search.withHops(relays + 1));
      }
    }

    private record Scored(Route route, double cost) {
      Set<String> relaySet() {
        return new TreeSet<>(route.relays());
      }
    }

    List<Route> routes() {
      byHops.forEach(this::scoreNext);
      while (scored.size() < MOST_SCORED) {
        RouteSearch.Routes next = byHops.getFirst();
        for (RouteSearch.Routes routes : byHops) {
          next = routes.nextBound().compareTo(next.nextBound()) < 0 ? routes : next;
        }
        Bound bound = next.nextBound();
        boolean noneLeft = bound.equals(Bound.NONE);
        boolean noneBetter = scored.size() >= SHOWN && objective.leastCost(bound) >= leastCost;
        if (noneLeft || noneBetter) {
          break;
        }
        scoreNext(next);
      }
      return shown();
    }

    private void scoreNext(RouteSearch.Routes routes) {
      routes
          .next()
          .ifPresent(route -> {
            double cost = forecaster.likelyCascadeCost(route);
            scored.add(new Scored(route, cost));
            leastCost = Math.min(leastCost, cost);
          });
    }

    /**
     * The best order of each set of relays: the best sets, and the best of each number of relays.
     */
    private List<Route> shown() {
      // Stable: routes of equal cost stay in the order of their bounds, for a stream that of their
      // delays.
      scored.sort(
          Comparator.comparingDouble(Scored::cost).thenComparingInt(one -> one.route().hops()));
      Map<Set<String>, Route> bestOrder = new HashMap<>();
      Set<Integer> numbersSeen = new TreeSet<>();
      Set<Route> shown = new LinkedHashSet<>();
      for (Scored one : scored) {
        boolean firstOfItsSet = bestOrder.putIfAbsent(one.relaySet(), one.route()) == null;
        boolean firstOfItsNumber = numbersSeen.add(one.route().hops());
        if (firstOfItsNumber || (firstOfItsSet && shown.size() < SHOWN)) {
          shown.add(one.route());
        }
      }
      return List.copyOf(shown);
    }
  }
}
