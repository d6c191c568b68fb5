package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which routes the planner finds, against brute force with the full model. */
class RoutePlannerSearchTest {

  private static final int NETWORKS = 300;

  private final RoutePlanner planner = new RoutePlanner();

  @Test
  void findsTheBestRouteOfTheFullModel() {
    RandomNetworks random = new RandomNetworks(1);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      Forecaster forecaster = new Forecaster(topology, request);
      List<NodePath> all = RandomNetworks.cascades(topology, request);
      RouteAnswer plan = planner.plan(topology, request);

      assertThat(plan.bestCascade().isPresent()).isEqualTo(!all.isEmpty());
      if (!all.isEmpty()) {
        double least = all.stream().mapToDouble(forecaster::likelyCascadeCost).min().orElseThrow();
        assertThat(leastCascadeCost(plan)).isCloseTo(least, within(1e-9 * least));
        assertThat(plan.bestCascade())
            .as("the best on average of those that are shown")
            .isEqualTo(Ranking.quickest(cascades(plan)));
      }
    }
  }

  @Test
  void showsTheBestRouteOfEveryNumberOfRelays() {
    RandomNetworks random = new RandomNetworks(2);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      RouteAnswer plan = planner.plan(topology, request);
      List<Integer> possible =
          RandomNetworks.cascades(topology, request).stream()
              .map(NodePath::hops)
              .distinct()
              .sorted()
              .toList();
      assertThat(
              plan.candidates().stream()
                  .filter(candidate -> candidate.kind() == Candidate.Kind.CASCADE)
                  .map(candidate -> candidate.route().hops())
                  .distinct()
                  .sorted())
          .containsExactlyElementsOf(possible);
    }
  }

  @Test
  void aWorseLinkNeverMakesABetterPlan() {
    RandomNetworks random = new RandomNetworks(3);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      Topology worse = random.withOneLinkWorse(topology);
      double before = planner.plan(topology, request).candidates().getFirst().likelyCost();
      double after = planner.plan(worse, request).candidates().getFirst().likelyCost();
      assertThat(after).isGreaterThanOrEqualTo(before * (1 - 1e-3));
    }
  }

  @Test
  void anotherRelayToAvoidNeverMakesABetterPlan() {
    RandomNetworks random = new RandomNetworks(4);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion any = random.request();
      RouteQuestion.Builder builder = RouteQuestion.between("s", "d").maxRelays(any.maxRelays());
      any.bytes().ifPresent(builder::bytes);
      RouteAnswer free = planner.plan(topology, builder.build());
      RouteAnswer bound = planner.plan(topology, builder.avoid(Set.of("r0")).build());
      assertThat(leastCascadeCost(bound)).isGreaterThanOrEqualTo(leastCascadeCost(free));
      assertThat(bound.candidates())
          .noneMatch(candidate -> candidate.route().relays().contains("r0"));
    }
  }

  @Test
  void prefersFewerRelaysWhereTimesArePracticallyEqual() {
    Topology.Builder builder = Topology.builder();
    LossEstimate loss = new LossEstimate(100, 100_000);
    builder.link("s", "a", LinkEstimate.of(Duration.ofMillis(50), loss));
    builder.link("a", "d", LinkEstimate.of(Duration.ofMillis(50), loss));
    builder.link("s", "b", LinkEstimate.of(Duration.ofNanos(49_500_000), loss));
    builder.link("b", "c", LinkEstimate.of(Duration.ofMillis(1), loss));
    builder.link("c", "d", LinkEstimate.of(Duration.ofNanos(49_500_000), loss));
    Topology topology = builder.build();
    RouteAnswer plan =
        planner.plan(topology, RouteQuestion.between("s", "d").bytes(1L << 30).build());
    assertThat(plan.candidates().getFirst().route().relays()).containsExactly("b", "c");
    assertThat(plan.bestCascade().orElseThrow().route().relays()).containsExactly("a");
  }

  @Test
  void plansStreamsForTheWidestRouteAndTiesByDelay() {
    LossEstimate loss = new LossEstimate(0, 100_000_000);
    Topology.Builder builder = Topology.builder();
    for (String relay : List.of("near", "far", "narrow")) {
      Rate capacity = Rate.ofMegabits(relay.equals("narrow") ? 5 : 10);
      Duration rtt = Duration.ofMillis(relay.equals("far") ? 40 : 20);
      builder.link("s", relay, LinkEstimate.of(rtt, loss).withCapacity(capacity));
      builder.link(relay, "d", LinkEstimate.of(rtt, loss).withCapacity(capacity));
    }
    RouteAnswer plan = planner.plan(builder.build(), RouteQuestion.between("s", "d").build());
    assertThat(plan.bestCascade().orElseThrow().route().relays()).containsExactly("near");
    assertThat(plan.bestCascade().orElseThrow().prediction().orElseThrow().transferSeconds())
        .isEmpty();
  }

  @Test
  void plansAcrossAFullMeshOfAHundredRelays() {
    Random random = new Random(5);
    Topology.Builder builder = Topology.builder();
    for (int from = 0; from < 102; from++) {
      for (int to = 0; to < 102; to++) {
        if (from != to) {
          builder.link(
              "n" + from,
              "n" + to,
              LinkEstimate.of(
                  Duration.ofMillis(5 + random.nextInt(200)),
                  new LossEstimate(random.nextInt(20), 10_000)));
        }
      }
    }
    Topology topology = builder.build();
    RouteQuestion request = RouteQuestion.between("n0", "n1").bytes(1L << 30).maxRelays(2).build();
    Forecaster forecaster = new Forecaster(topology, request);
    double least =
        RandomNetworks.cascades(topology, request).stream()
            .mapToDouble(forecaster::likelyCascadeCost)
            .min()
            .orElseThrow();
    assertThat(leastCascadeCost(planner.plan(topology, request)))
        .isCloseTo(least, within(1e-9 * least));
  }

  /**
   * Two relays more look a little faster, and each of their four hops may be slower than it looks.
   */
  @Test
  void aGainOfMoreHopsThatTheirScatterTakesAwayIsNone() {
    Topology topology = aLittleFasterOverFourHops(new LossEstimate(20, 20_000));
    RouteAnswer plan = planner.plan(topology, RouteQuestion.between("s", "d").build());
    Forecaster forecaster = new Forecaster(topology, RouteQuestion.between("s", "d").build());

    assertThat(plan.bestCascade().orElseThrow().route().relays()).containsExactly("a");
    assertThat(forecaster.likelyCascadeCost(new NodePath(List.of("s", "b", "c", "e", "d"))))
        .isLessThan(0.95 * forecaster.likelyCascadeCost(new NodePath(List.of("s", "a", "d"))));
  }

  private static Topology aLittleFasterOverFourHops(LossEstimate loss) {
    return Topology.builder()
        .link("s", "d", LinkEstimate.of(Duration.ofMillis(200), loss))
        .link("s", "a", LinkEstimate.of(Duration.ofMillis(55), loss))
        .link("a", "d", LinkEstimate.of(Duration.ofMillis(55), loss))
        .link("s", "b", LinkEstimate.of(Duration.ofMillis(50), loss))
        .link("b", "c", LinkEstimate.of(Duration.ofMillis(50), loss))
        .link("c", "e", LinkEstimate.of(Duration.ofMillis(50), loss))
        .link("e", "d", LinkEstimate.of(Duration.ofMillis(50), loss))
        .build();
  }

  private static List<Candidate> cascades(RouteAnswer plan) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == Candidate.Kind.CASCADE)
        .toList();
  }

  private static double leastCascadeCost(RouteAnswer plan) {
    Optional<Candidate> least =
        plan.candidates().stream()
            .filter(candidate -> candidate.kind() == Candidate.Kind.CASCADE)
            .min(Comparator.comparingDouble(Candidate::likelyCost));
    return least.map(Candidate::likelyCost).orElse(Double.POSITIVE_INFINITY);
  }
}
