package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutePlannerDecisionTest {

  private static final long GIB = 1L << 30;

  private final RoutePlanner planner = new RoutePlanner();

  @Test
  void takesTheCascadeWhereTheGainIsSure() {
    RouteAnswer plan = planner.plan(halfway(1_000_000), toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route()).isEqualTo(new NodePath(List.of("s", "a", "d")));
    assertThat(plan.gain().orElseThrow().low()).isGreaterThan(1);
    assertThat(plan.measureNext()).isEmpty();
  }

  @Test
  void takesTheDirectPathWhereRelaysOnlyAddDistance() {
    Topology detour =
        Topology.builder()
            .link("s", "d", link(50, 100, 100_000))
            .link("s", "a", link(100, 100, 100_000))
            .link("a", "d", link(100, 100, 100_000))
            .build();
    RouteAnswer plan = planner.plan(detour, toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
    assertThat(plan.route().isDirect()).isTrue();
    assertThat(plan.gain().orElseThrow().high()).isLessThan(1);
    assertThat(plan.bestCascade()).isPresent();
  }

  @Test
  void isUndecidedWhereFewProbesWereSent() {
    RouteAnswer plan = planner.plan(halfway(1000), toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.gain().orElseThrow().low()).isLessThan(1);
    assertThat(plan.gain().orElseThrow().high()).isGreaterThan(1);
  }

  @Test
  void leansToTheLikelierChoiceWhileUndecided() {
    assertThat(planner.plan(halfway(1000), toMove(GIB).build()).route().relays())
        .containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {1000, 2000, 3000})
  void theProbesItAsksForDecide(long probes) {
    Topology topology = halfway(probes);
    RouteQuestion request = toMove(GIB).build();
    RouteAnswer undecided = planner.plan(topology, request);
    assertThat(undecided.measureNext()).isNotEmpty();

    Topology.Builder probed = Topology.builder();
    for (NodePath link : RandomNetworks.links(topology)) {
      String from = link.nodes().getFirst();
      String to = link.nodes().getLast();
      LinkEstimate estimate = topology.link(from, to).orElseThrow();
      long more =
          undecided.measureNext().stream()
              .filter(next -> next.from().equals(from) && next.to().equals(to))
              .mapToLong(Measurement::probes)
              .sum();
      long factor = 1 + more / estimate.loss().sent();
      probed.link(from, to, estimate.withLoss(estimate.loss().repeated(factor)));
    }
    assertThat(planner.plan(probed.build(), request).decision()).isNotEqualTo(Decision.UNDECIDED);
  }

  @Test
  void bbrOnTheDirectPathLeavesNothingToGain() {
    RouteQuestion bbr =
        toMove(GIB).congestionControl(CongestionControl.BBR, CongestionControl.CUBIC).build();
    assertThat(planner.plan(halfway(1_000_000), bbr).decision()).isEqualTo(Decision.DIRECT);
    assertThat(planner.plan(halfwayAt(32), bbr).decision()).isEqualTo(Decision.DIRECT);
  }

  @Test
  void bbrOnBothSidesOfUnknownCapacityStaysDirect() {
    RouteQuestion bbr =
        toMove(GIB).congestionControl(CongestionControl.BBR, CongestionControl.BBR).build();
    RouteAnswer plan = planner.plan(halfway(1_000_000), bbr);
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
  }

  @Test
  void bbrBeyondTheLossItStandsLeavesEverythingToGain() {
    Rate capacity = Rate.ofMegabits(32);
    Topology lossy =
        Topology.builder()
            .link("s", "d", link(64, 3000, 10_000).withCapacity(capacity))
            .link("s", "a", link(32, 10, 10_000).withCapacity(capacity))
            .link("a", "d", link(32, 10, 10_000).withCapacity(capacity))
            .build();
    RouteQuestion bbr =
        toMove(GIB).congestionControl(CongestionControl.BBR, CongestionControl.CUBIC).build();
    RouteAnswer plan = planner.plan(lossy, bbr);
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
  }

  @Test
  void aHopHasTheCongestionControlOfWhoSendsOnIt() {
    RouteQuestion request =
        toMove(GIB)
            .congestionControl(CongestionControl.BBR, CongestionControl.CUBIC)
            .senderControl("s", CongestionControl.BBR)
            .senderControl("a", CongestionControl.RENO)
            .build();
    Topology topology =
        Topology.builder()
            .link("s", "d", link(320, 2, 10_000))
            .link("s", "a", link(160, 1, 10_000))
            .link("a", "d", link(160, 1, 10_000))
            .link("s", "b", link(160, 1, 10_000))
            .link("b", "d", link(160, 1, 10_000))
            .build();
    RouteAnswer plan = planner.plan(topology, request);
    assertThat(controls(plan, "a")).containsExactly(CongestionControl.BBR, CongestionControl.RENO);
    assertThat(controls(plan, "b")).containsExactly(CongestionControl.BBR, CongestionControl.CUBIC);
    assertThat(plan.bestCascade().orElseThrow().route().relays())
        .as("cubic gets more than reno out of a long link with little loss")
        .containsExactly("b");
  }

  private static List<CongestionControl> controls(RouteAnswer plan, String relay) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.route().relays().equals(List.of(relay)))
        .flatMap(candidate -> candidate.prediction().stream())
        .flatMap(prediction -> prediction.hops().stream())
        .map(HopPrediction::control)
        .toList();
  }

  @Test
  void goesThroughRelaysWhereThereIsNoDirectPath() {
    Topology topology =
        Topology.builder()
            .link("s", "a", link(30, 1, 1_000))
            .link("a", "d", link(30, 1, 1_000))
            .build();
    RouteAnswer plan =
        planner.plan(topology, RouteQuestion.between("s", "d").noDirectPath().build());
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("a");
    assertThat(plan.gain()).isEmpty();
  }

  @Test
  void saysSoWhereNoWayLeadsToTheDestination() {
    Topology topology = Topology.builder().link("s", "a", link(30, 1, 1_000)).build();
    RouteAnswer plan =
        planner.plan(topology, RouteQuestion.between("s", "d").noDirectPath().build());
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
  }

  @Test
  void isUndecidedWhereTheDirectPathWasNotMeasured() {
    Topology noDirect =
        Topology.builder()
            .link("s", "a", link(32, 10, 10_000))
            .link("a", "d", link(32, 10, 10_000))
            .build();
    RouteAnswer plan = planner.plan(noDirect, toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.route().relays()).containsExactly("a");
    assertThat(plan.candidate(Candidate.Kind.DIRECT).orElseThrow().basis())
        .isEqualTo("direct path not measured");
    assertThat(plan.gain()).isEmpty();
    assertThat(plan.measureNext())
        .containsExactly(new Measurement(Measurement.Kind.LINK, "s", "d", 0));
  }

  @Test
  void requiredRelaysAreTakenWhateverTheModelSays() {
    Topology noDirect =
        Topology.builder()
            .link("s", "a", link(32, 10, 10_000))
            .link("a", "d", link(32, 10, 10_000))
            .build();
    RouteAnswer plan = planner.plan(noDirect, toMove(GIB).via(List.of("a")).build());
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("a");
  }

  @Test
  void requiredRelaysMayHaveUnmeasuredLinks() {
    RouteAnswer plan = planner.plan(halfway(1000), toMove(GIB).via(List.of("a", "x")).build());
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route()).hasToString("s→a→x→d");
    assertThat(plan.chosen().prediction()).isEmpty();
    assertThat(plan.chosen().basis()).isEqualTo("not measured: a→x, x→d");
  }

  @Test
  void withoutAnyRouteThroughRelaysTheDirectPathRemains() {
    Topology alone = Topology.builder().link("s", "d", link(64, 1, 1000)).build();
    assertThat(planner.plan(alone, toMove(GIB).build()).decision()).isEqualTo(Decision.DIRECT);
    RouteAnswer nothing = planner.plan(Topology.builder().build(), toMove(GIB).build());
    assertThat(nothing.decision()).isEqualTo(Decision.DIRECT);
    assertThat(nothing.chosen().prediction()).isEmpty();
  }

  @Test
  void noRelaysAllowedOrLeftMeansDirect() {
    assertThat(planner.plan(halfway(1_000_000), toMove(GIB).maxRelays(0).build()).decision())
        .isEqualTo(Decision.DIRECT);
    assertThat(planner.plan(halfway(1_000_000), toMove(GIB).avoid(Set.of("a")).build()).decision())
        .isEqualTo(Decision.DIRECT);
  }

  /** The direct path fills its 10 Mbit/s; nobody knows what the relays' links carry. */
  @Test
  void aCascadeDoesNotWinBecauseItsCapacityIsUnknown() {
    Topology topology =
        Topology.builder()
            .link("s", "d", link(64, 0, 1_000_000).withCapacity(Rate.ofMegabits(10)))
            .link("s", "a", link(32, 0, 1_000_000))
            .link("a", "d", link(32, 0, 1_000_000))
            .build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.route().isDirect()).isTrue();
    assertThat(plan.measureNext())
        .containsExactly(
            new Measurement(Measurement.Kind.CAPACITY, "s", "a", 0),
            new Measurement(Measurement.Kind.CAPACITY, "a", "d", 0));
  }

  @Test
  void atEqualKnownCapacitiesThatBothFillTheDirectPathIsTaken() {
    Topology topology =
        Topology.builder()
            .link("s", "d", link(64, 0, 10_000_000).withCapacity(Rate.ofMegabits(10)))
            .link("s", "a", link(32, 0, 10_000_000).withCapacity(Rate.ofMegabits(10)))
            .link("a", "d", link(32, 0, 10_000_000).withCapacity(Rate.ofMegabits(10)))
            .build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).build());
    assertThat(plan.decision()).isEqualTo(Decision.EQUAL);
    assertThat(plan.route().isDirect()).isTrue();
  }

  @Test
  void alwaysScoresTheRivals() {
    RouteAnswer plan = planner.plan(halfwayAt(32), toMove(GIB).build());
    Prediction direct = prediction(plan, Candidate.Kind.DIRECT);
    Prediction parallel = prediction(plan, Candidate.Kind.PARALLEL_DIRECT);
    Prediction bbr = prediction(plan, Candidate.Kind.DIRECT_BBR);
    double capacity = 32e6 * 1448 / 1538;
    assertThat(parallel.steadyBitsPerSecond().likely())
        .isEqualTo(Math.min(4 * direct.steadyBitsPerSecond().likely(), capacity));
    assertThat(bbr.steadyBitsPerSecond().likely()).isBetween(0.97 * capacity, capacity);
    assertThat(plan.chosen().kind()).isEqualTo(Candidate.Kind.CASCADE);
  }

  @Test
  void candidatesComeBestFirst() {
    assertThat(planner.plan(halfwayAt(32), toMove(GIB).build()).candidates())
        .isSortedAccordingTo(Ranking.BY_LIKELY_COST);
  }

  @Test
  void predictionsSayWhereTheyComeFrom() {
    Topology topology =
        Topology.builder()
            .link("s", "a", link(64, 3, 1000))
            .link("a", "d", link(32, 3, 1000).withCapacity(Rate.ofMegabits(32)))
            .build();
    RouteQuestion request =
        toMove(GIB).congestionControl(CongestionControl.RENO, CongestionControl.RENO).build();
    Prediction prediction = planner.plan(topology, request).chosen().prediction().orElseThrow();
    assertThat(prediction.hops())
        .extracting(HopPrediction::basis)
        .containsExactly(
            "mathis, c=1.31, timeouts, loss 3 of 1000 (0.062 %–0.87 %), rtt 64 ms measured, capacity"
                + " unknown: not capped",
            "mathis, c=1.31, timeouts, loss 3 of 1000 (0.062 %–0.87 %), rtt 32 ms measured, capacity"
                + " 32.0 Mbit/s");
    assertThat(prediction.bottleneckHop().name()).isEqualTo("s→a");
    assertThat(prediction.bottleneckHop().limit()).isEqualTo(RateLimit.CONGESTION_CONTROL);
    assertThat(prediction.relayBufferBytes()).hasSize(1);
    assertThat(prediction.setupSeconds()).isEqualTo(0.064);
  }

  @Test
  void moreProbesNarrowThePrediction() {
    RouteQuestion request = toMove(GIB).build();
    Prediction few = planner.plan(halfway(1000), request).chosen().prediction().orElseThrow();
    Prediction many = planner.plan(halfway(100_000), request).chosen().prediction().orElseThrow();
    assertThat(many.goodputBitsPerSecond().low()).isGreaterThan(few.goodputBitsPerSecond().low());
    assertThat(many.goodputBitsPerSecond().high()).isLessThan(few.goodputBitsPerSecond().high());
  }

  private static Prediction prediction(RouteAnswer plan, Candidate.Kind kind) {
    return plan.candidate(kind).orElseThrow().prediction().orElseThrow();
  }

  private static RouteQuestion.Builder toMove(long bytes) {
    return RouteQuestion.between("s", "d").bytes(bytes);
  }

  /** 64 ms at 0.1 %, a relay half-way, loss per hop unchanged; every link probed this often. */
  private static Topology halfway(long probes) {
    return Topology.builder()
        .link("s", "d", link(64, probes / 1000, probes))
        .link("s", "a", link(32, probes / 1000, probes))
        .link("a", "d", link(32, probes / 1000, probes))
        .build();
  }

  private static Topology halfwayAt(double megabits) {
    Rate capacity = Rate.ofMegabits(megabits);
    return Topology.builder()
        .link("s", "d", link(64, 1000, 1_000_000).withCapacity(capacity))
        .link("s", "a", link(32, 1000, 1_000_000).withCapacity(capacity))
        .link("a", "d", link(32, 1000, 1_000_000).withCapacity(capacity))
        .build();
  }

  private static LinkEstimate link(long rttMillis, long lost, long sent) {
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(lost, sent));
  }
}
