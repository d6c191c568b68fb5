package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans within limits, against brute force with the full model over every simple route. */
class LimitsAndPricesTest {

  private static final int NETWORKS = 400;

  private final RoutePlanner planner = new RoutePlanner();

  private record Way(NodePath route, double cost, double price) {}

  @Test
  void theFastestRouteWithinAllLimitsIsFound() {
    RandomNetworks random = new RandomNetworks(11);
    int limited = 0;
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.onTerms(random.topology());
      RouteQuestion request = random.limited(random.request()).build();
      List<Way> allowed = allowed(topology, request);
      limited += allowed.size() < RandomNetworks.cascades(topology, request).size() ? 1 : 0;
      RouteAnswer plan = planner.plan(topology, request);

      List<Candidate> found = cascades(plan);
      assertThat(found.isEmpty()).isEqualTo(allowed.isEmpty());
      if (!allowed.isEmpty()) {
        double least = allowed.stream().mapToDouble(Way::cost).min().orElseThrow();
        double best = found.stream().mapToDouble(Candidate::likelyCost).min().orElseThrow();
        assertThat(best).isCloseTo(least, within(1e-9 * least));
        List<NodePath> routes = allowed.stream().map(Way::route).toList();
        assertThat(found).allMatch(candidate -> routes.contains(candidate.route()));
      }
    }
    assertThat(limited).isGreaterThan(NETWORKS / 2);
  }

  @Test
  void everyNumberOfRelaysShowsItsBest() {
    RandomNetworks random = new RandomNetworks(12);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.onTerms(random.topology());
      RouteQuestion request = random.limited(random.request()).build();
      List<Way> allowed = allowed(topology, request);
      for (RelayValue value : planner.plan(topology, request).relayValues()) {
        double least =
            allowed.stream()
                .filter(way -> way.route().relays().size() == value.relays())
                .mapToDouble(Way::cost)
                .min()
                .orElseThrow();
        assertThat(value.best().likelyCost()).isCloseTo(least, within(1e-9 * least));
      }
    }
  }

  @Test
  void theCheapestRouteThatReachesTheRateIsFound() {
    RandomNetworks random = new RandomNetworks(13);
    int reached = 0;
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.onTerms(random.topology());
      RouteQuestion request =
          random.limited(random.request()).leastPriceFor(random.someRate()).build();
      double rate = request.limits().leastBitsPerSecond().orElseThrow();
      double mostCost =
          request.bytes().isPresent() ? 8.0 * request.bytes().getAsLong() / rate : 1 / rate;
      List<Way> reaching =
          allowed(topology, request).stream().filter(way -> way.cost() <= mostCost).toList();
      if (!reaching.isEmpty()) {
        reached++;
        double least = reaching.stream().mapToDouble(Way::price).min().orElseThrow();
        Candidate best = planner.plan(topology, request).bestCascade().orElseThrow();
        assertThat(best.pricePerGibibyte()).isCloseTo(least, within(1e-9 * least + 1e-12));
        assertThat(best.reaches(request)).isTrue();
      }
    }
    assertThat(reached).isBetween(NETWORKS / 8, NETWORKS);
  }

  @Test
  void theFrontHoldsExactlyWhatNothingBeatsInBoth() {
    RandomNetworks random = new RandomNetworks(14);
    int several = 0;
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.onTerms(random.topology());
      RouteQuestion request =
          random.limited(random.request()).objective(Objective.TIME_AND_PRICE).build();
      RouteAnswer plan = planner.plan(topology, request);
      Candidate direct = plan.candidate(Candidate.Kind.DIRECT).orElseThrow();
      List<Way> ways = new ArrayList<>(allowed(topology, request));
      if (direct.prediction().isPresent()) {
        ways.add(new Way(direct.route(), direct.likelyCost(), direct.pricePerGibibyte()));
      }
      ways.sort(Comparator.comparingDouble(Way::cost).thenComparingDouble(Way::price));
      List<Way> expected = new ArrayList<>();
      for (Way way : ways) {
        if (expected.isEmpty() || way.price() < expected.getLast().price()) {
          expected.add(way);
        }
      }
      several += expected.size() > 1 ? 1 : 0;
      assertThat(plan.front()).hasSameSizeAs(expected);
      for (int k = 0; k < expected.size(); k++) {
        Way way = expected.get(k);
        assertThat(plan.front().get(k).likelyCost())
            .isCloseTo(way.cost(), within(1e-9 * way.cost()));
        assertThat(plan.front().get(k).pricePerGibibyte())
            .isCloseTo(way.price(), within(1e-9 * way.price() + 1e-12));
      }
    }
    assertThat(several).isGreaterThan(NETWORKS / 10);
  }

  @Test
  void noBoundExceedsAScoreWhenTermsLeaveLittle() {
    RandomNetworks random = new RandomNetworks(15);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.onTerms(random.topology());
      RouteQuestion request = random.request();
      double least =
          allowed(topology, request).stream()
              .mapToDouble(Way::cost)
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      double found =
          cascades(planner.plan(topology, request)).stream()
              .mapToDouble(Candidate::likelyCost)
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      if (!allowed(topology, request).isEmpty()) {
        assertThat(found).isCloseTo(least, within(1e-9 * least));
      }
    }
  }

  private static List<Candidate> cascades(RouteAnswer plan) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == Candidate.Kind.CASCADE)
        .toList();
  }

  /** Every route that keeps all limits, judged one by one and without the search. */
  private static List<Way> allowed(Topology topology, RouteQuestion request) {
    Forecaster forecaster = new Forecaster(topology, request);
    RouteLimits limits = request.limits();
    List<Way> ways = new ArrayList<>();
    for (NodePath route : RandomNetworks.cascades(topology, request)) {
      boolean allowed =
          route.relays().stream()
              .map(topology::relayTerms)
              .noneMatch(terms ->
                  limits.forbiddenSites().contains(terms.site().orElse(""))
                      || terms.freeBitsPerSecond().orElse(1) == 0);
      for (int i = 0; i < route.hops(); i++) {
        LinkTerms terms = topology.linkTerms(route.nodes().get(i), route.nodes().get(i + 1));
        allowed &= terms.freeBitsPerSecond().orElse(1) > 0;
      }
      if (allowed) {
        double cost = forecaster.likelyCascadeCost(route);
        Price price = forecaster.price(route, cost);
        if (price.perGibibyte() <= limits.mostPricePerGibibyte().orElse(Double.MAX_VALUE)
            && price.relaysPerHour() <= limits.mostPricePerHour().orElse(Double.MAX_VALUE)) {
          ways.add(new Way(route, cost, price.perGibibyte()));
        }
      }
    }
    return ways;
  }
}
