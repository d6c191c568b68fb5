package io.cascade.model.planning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Decides whether a stream should take the direct path or a cascade, and which.
 *
 * <p>Routes come from {@link io.cascade.model.routing.RouteSearch} in the order of a lower bound of
 * their cost. Each is scored with the full model until the next bound is no better than the best
 * score, so the best route is found although only few are scored. Then the decision follows {@link
 * Verdict}.
 *
 * <p>If a rate was observed on all links of some ways and not of others, the best is one of the
 * former. A way without a likely rate is compared with the direct path only if the direct path
 * would otherwise be taken: it may still be better.
 *
 * <p>Stateless and thread-safe.
 */
public final class RoutePlanner {

  /** The best plan that the measurements support. */
  public RouteAnswer plan(Topology topology, RouteQuestion request) {
    Forecaster forecaster = new Forecaster(topology, request);
    Exclusions exclusions = new Exclusions(topology, request);
    List<Candidate> cascades = new ArrayList<>();
    for (NodePath route : routesWorthShowing(topology, request, forecaster, exclusions)) {
      cascades.add(forecaster.cascade(route));
    }
    Candidate direct = forecaster.direct();
    List<Candidate> rivals = forecaster.rivals();
    List<Candidate> others =
        cascades.stream().filter(one -> !isDirectAgain(topology, request, one)).toList();
    boolean onlyAgain = others.isEmpty() && !cascades.isEmpty() && request.via().isEmpty();
    Optional<Candidate> bestCascade = best(others.isEmpty() ? cascades : others, request);
    Verdict verdict = Verdict.of(direct, bestCascade, request);
    if (onlyAgain) {
      verdict = verdict.direct();
    }
    Optional<Candidate> unseen =
        Ranking.best(others.stream().filter(one -> !one.hasLikelyRate()).toList(), request);
    if (verdict.decision().isWithoutRelays() && unseen.isPresent() && request.via().isEmpty()) {
      Verdict other = Verdict.of(direct, unseen, request);
      if (other.decision() == Decision.UNDECIDED) {
        verdict = other;
        bestCascade = unseen;
      }
    }
    Candidate chosen = verdict.throughRelays() ? bestCascade.orElseThrow() : direct;
    List<Measurement> measureNext =
        verdict.decision() == Decision.UNDECIDED
            ? new NextMeasurements(topology, request).between(direct, bestCascade.orElseThrow())
            : List.of();

    List<Candidate> all = new ArrayList<>(cascades);
    all.add(direct);
    all.addAll(rivals);
    all.sort(
        Comparator.comparing(Candidate::isEstimate)
            .thenComparing(Candidate::hasLikelyRate)
            .reversed()
            .thenComparing(Ranking.BY_LIKELY_COST));
    return new RouteAnswer(
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
        measureNext);
  }

  private static List<NodePath> routesWorthShowing(
      Topology topology, RouteQuestion request, Forecaster forecaster, Exclusions exclusions) {
    if (!request.via().isEmpty()) {
      List<String> nodes = new ArrayList<>(request.via());
      nodes.addFirst(request.source());
      nodes.addLast(request.destination());
      return List.of(new NodePath(nodes));
    }
    if (request.maxRelays() == 0) {
      return List.of();
    }
    NumberedSearch finder =
        new NumberedSearch(topology, request, forecaster.measured(), exclusions);
    List<NodePath> routes = new Shortlist(request, forecaster, finder).routes();
    Topology seen = topology.seen();
    if (seen == topology) {
      return routes;
    }
    NumberedSearch among = new NumberedSearch(seen, request, forecaster.measured(), exclusions);
    Set<NodePath> all = new LinkedHashSet<>(new Shortlist(request, forecaster, among).routes());
    all.addAll(routes);
    return List.copyOf(all);
  }

  /**
   * Whether one of its hops is the direct path, as through a relay on the source's own host: it
   * gains nothing, even if little is known of that path.
   */
  private static boolean isDirectAgain(
      Topology topology, RouteQuestion request, Candidate cascade) {
    Optional<LinkEstimate> direct = topology.link(request.source(), request.destination());
    return direct.isPresent()
        && request.directPathExists()
        && cascade.prediction().stream()
            .flatMap(prediction -> prediction.hops().stream())
            .filter(hop -> hop.control() == request.directControl())
            .flatMap(hop -> topology.link(hop.from(), hop.to()).stream())
            .anyMatch(link -> link.isSamePathAs(direct.get()));
  }

  private static Optional<Candidate> best(List<Candidate> cascades, RouteQuestion request) {
    List<Candidate> seen = cascades.stream().filter(Candidate::hasLikelyRate).toList();
    return Ranking.best(seen.isEmpty() ? cascades : seen, request);
  }

  /** Whether a probability can be given: an unknown capacity has none. */
  private static boolean isBounded(Candidate candidate) {
    return candidate
        .prediction()
        .filter(one -> one.knowledge() == Prediction.Knowledge.BOUNDED)
        .isPresent();
  }

  private static OptionalDouble probability(
      Topology topology,
      RouteQuestion request,
      Forecaster forecaster,
      Candidate direct,
      Optional<Candidate> cascade) {
    boolean comparable = isBounded(direct) && cascade.filter(RoutePlanner::isBounded).isPresent();
    return comparable
        ? OptionalDouble.of(
            new WinProbability(topology, request, forecaster).of(direct, cascade.orElseThrow()))
        : OptionalDouble.empty();
  }

  private static List<RelayValue> relayValues(
      Candidate direct, List<Candidate> cascades, RouteQuestion request) {
    List<RelayValue> values = new ArrayList<>();
    double before = direct.isEstimate() ? direct.likelyCost() : Double.NaN;
    List<Candidate> seen = cascades.stream().filter(Candidate::isEstimate).toList();
    int most = seen.stream().mapToInt(one -> one.route().relays().size()).max().orElse(0);
    Comparator<Candidate> order = Ranking.order(request);
    for (int relays = 1; relays <= most; relays++) {
      int exactly = relays;
      Optional<Candidate> best =
          seen.stream()
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
