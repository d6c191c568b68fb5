package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The probability that the cascade wins, against simulation with the full model. */
class WinProbabilityTest {

  private static final int DRAWS = 4000;

  private final RoutePlanner planner = new RoutePlanner();

  @Test
  void agreesWithSimulatedLossesOverRandomNetworks() {
    RandomNetworks networks = new RandomNetworks(21);
    Random random = new Random(21);
    int between = 0;
    for (int i = 0; i < 60; i++) {
      Topology topology = networks.topology();
      RouteQuestion request = networks.request();
      RouteAnswer plan = planner.plan(topology, request);
      if (plan.probabilityCascadeWins().isPresent()) {
        double probability = plan.probabilityCascadeWins().getAsDouble();
        between += probability > 0.02 && probability < 0.98 ? 1 : 0;
        assertThat(probability).isCloseTo(simulated(topology, request, plan, random), within(0.06));
      }
    }
    assertThat(between).isGreaterThan(10);
  }

  @Test
  void isAboutAHalfWhereBothSidesAreAlike() {
    LossEstimate loss = new LossEstimate(40, 10_000);
    Topology topology =
        Topology.builder()
            .link("s", "d", LinkEstimate.of(Duration.ofMillis(100), loss))
            .link("s", "a", LinkEstimate.of(Duration.ofMillis(100).plusNanos(1), loss))
            .link("a", "d", LinkEstimate.of(Duration.ofMillis(1), new LossEstimate(0, 100_000_000)))
            .build();
    RouteAnswer plan = planner.plan(topology, RouteQuestion.between("s", "d").build());
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.probabilityCascadeWins().orElseThrow()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void growsWithProbesTowardsWhatTheSharesSay() {
    double before = 0;
    for (long factor = 1; factor <= 100; factor *= 10) {
      LossEstimate loss = new LossEstimate(2, 1000).repeated(factor);
      Topology topology =
          Topology.builder()
              .link("s", "d", LinkEstimate.of(Duration.ofMillis(64), loss))
              .link("s", "a", LinkEstimate.of(Duration.ofMillis(50), loss))
              .link("a", "d", LinkEstimate.of(Duration.ofMillis(50), loss))
              .build();
      double probability =
          planner
              .plan(topology, RouteQuestion.between("s", "d").build())
              .probabilityCascadeWins()
              .orElseThrow();
      assertThat(probability).isGreaterThan(before);
      before = probability;
    }
    assertThat(before)
        .as("1.28 times as fast, beside a scatter of 0.2 on each side")
        .isCloseTo(0.78, within(0.02));
  }

  @Test
  void isUnknownWhereOneSideIs() {
    LinkEstimate link = LinkEstimate.of(Duration.ofMillis(10), new LossEstimate(1, 100));
    Topology noDirect = Topology.builder().link("s", "a", link).link("a", "d", link).build();
    assertThat(
            planner
                .plan(noDirect, RouteQuestion.between("s", "d").build())
                .probabilityCascadeWins())
        .isEmpty();
  }

  /** Draws every loss from Jeffreys' posterior and lets the full model run. */
  private static double simulated(
      Topology topology, RouteQuestion request, RouteAnswer plan, Random random) {
    Forecaster forecaster = new Forecaster(topology, request);
    NodePath direct = plan.candidate(Candidate.Kind.DIRECT).orElseThrow().route();
    NodePath cascade = plan.bestCascade().orElseThrow().route();
    int wins = 0;
    for (int i = 0; i < DRAWS; i++) {
      double with = drawn(topology, request, forecaster, cascade, request.hopControl(), random);
      double without =
          drawn(topology, request, forecaster, direct, request.directControl(), random);
      double scatter = Math.exp(random.nextGaussian() * scatter(forecaster, plan));
      wins += with < scatter * without ? 1 : 0;
    }
    return (double) wins / DRAWS;
  }

  private static double scatter(Forecaster forecaster, RouteAnswer plan) {
    Candidate direct = plan.candidate(Candidate.Kind.DIRECT).orElseThrow();
    Candidate cascade = plan.bestCascade().orElseThrow();
    return Math.hypot(
        forecaster.scatter(direct.route(), direct.congestionControl()),
        forecaster.scatter(cascade.route(), cascade.congestionControl()));
  }

  private static double drawn(
      Topology topology,
      RouteQuestion request,
      Forecaster forecaster,
      NodePath route,
      CongestionControl control,
      Random random) {
    Cascade likely = forecaster.chain(route, control, 1, LossLevel.LIKELY);
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < route.hops(); i++) {
      LossEstimate loss =
          topology.link(route.nodes().get(i), route.nodes().get(i + 1)).orElseThrow().loss();
      double lost = gamma(loss.lost() + 0.5, random);
      double kept = gamma(loss.sent() - loss.lost() + 0.5, random);
      hops.add(likely.hops().get(i).withLoss(lost / (lost + kept)));
    }
    Cascade drawn =
        new Cascade(
            hops,
            likely.setup(),
            likely.relays(),
            likely.relayDelaySeconds(),
            likely.initialWindow());
    return request.bytes().isPresent()
        ? drawn.deliver(request.bytes().getAsLong()).totalSeconds()
        : 1 / drawn.steadyBitsPerSecond();
  }

  /** Marsaglia and Tsang's method; a Beta variable is a ratio of two such. */
  private static double gamma(double shape, Random random) {
    if (shape < 1) {
      return gamma(shape + 1, random) * Math.pow(random.nextDouble(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(random.nextDouble()) < x * x / 2 + d - d * v + d * Math.log(v)) {
        return d * v;
      }
    }
  }
}
