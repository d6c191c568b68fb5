package io.cascade.model.planning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides whether a stream should take the direct path or a cascade, and which.
 *
 * <p>Routes come from {@link io.cascade.model.routing.RouteSearch} in the order of a bound that no
 * delivery beats. Each is scored with the full model until the next bound is no better than the
 * best score, so the best route is found although only few are scored. Then the decision follows
 * {@link Verdict}.
 *
 * <p>Has no state; one planner serves any number of threads.
 */
public final class RoutePlanner {

  /** The best plan that the measurements support. */
  public Plan plan(Topology topology, PlanRequest request) {
    Forecaster forecaster = new Forecaster(topology, request);
    Exclusions exclusions = new Exclusions(topology, request);
    List<Candidate> cascades = new ArrayList<>();
    for (Route route : routesWorthShowing(topology, request, forecaster, exclusions)) {
      cascades.add(forecaster.cascade(route));
    }
    Candidate direct = forecaster.direct();
    List<Candidate> rivals = forecaster.rivals();
    Optional<Candidate> bestCascade = Ranking.best(cascades, request);
    Verdict verdict = Verdict.of(direct, bestCascade, request);
    Candidate chosen = verdict.throughRelays() ? bestCascade.orElseThrow() : direct;
    List<Measurement> measureNext =
        verdict.decision() == Decision.UNDECIDED
            ? new NextMeasurements(topology, request).between(direct, bestCascade.orElseThrow())
            : List.of();

    List<Candidate> all = new ArrayList<>(cascades);
    all.add(direct);
    all.addAll(rivals);
    all.sort(Ranking.BY_LIKELY_COST);
    Plan unexplained =
        new Plan(
            verdict.decision(),
            chosen,
            bestCascade,
            verdict.gain(),
            probability(topology, request, forecaster, direct, bestCascade),
            request.via().isEmpty() ? relayValues(direct, cascades, request) : List.of(),
            request.objective() == Objective.TIME_AND_PRICE
                ? Ranking.front(direct, cascades)
                : List.of(),
            exclusions.list(),
            all,
            measureNext,
            "");
    return unexplained.because(new Explanation(request, unexplained).words());
  }

  private static List<Route> routesWorthShowing(
      Topology topology, PlanRequest request, Forecaster forecaster, Exclusions exclusions) {
    if (!request.via().isEmpty()) {
      List<String> nodes = new ArrayList<>(request.via());
      nodes.addFirst(request.source());
      nodes.addLast(request.destination());
      return List.of(new Route(nodes));
    }
    if (request.maxRelays() == 0) {
      return List.of();
    }
    RouteFinder finder = new RouteFinder(topology, request, forecaster.measured(), exclusions);
    return new Shortlist(request, forecaster, finder).routes();
  }

  private static OptionalDouble probability(
      Topology topology,
      PlanRequest request,
      Forecaster forecaster,
      Candidate direct,
      Optional<Candidate> cascade) {
    boolean comparable =
        direct.prediction().isPresent() && cascade.flatMap(Candidate::prediction).isPresent();
    return comparable
        ? OptionalDouble.of(
            new WinProbability(topology, request, forecaster).of(direct, cascade.orElseThrow()))
        : OptionalDouble.empty();
  }

  private static List<RelayValue> relayValues(
      Candidate direct, List<Candidate> cascades, PlanRequest request) {
    List<RelayValue> values = new ArrayList<>();
    double before = direct.prediction().isPresent() ? direct.likelyCost() : Double.NaN;
    int most = cascades.stream().mapToInt(one -> one.route().relays().size()).max().orElse(0);
    Comparator<Candidate> order = Ranking.order(request);
    for (int relays = 1; relays <= most; relays++) {
      int exactly = relays;
      Optional<Candidate> best =
          cascades.stream()
              .filter(candidate -> candidate.route().relays().size() == exactly)
              .min(order);
      if (best.isPresent()) {
        double cost = best.get().likelyCost();
        values.add(new RelayValue(relays, best.get(), before / cost));
        before = cost;
      } else {
        before = Double.NaN;
      }
    }
    return values;
  }
}
