package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What terms and limits do to a plan, and what it says of them. */
class PlanTermsTest {

  private static final long GIB = 1L << 30;

  private final RoutePlanner planner = new RoutePlanner();

  @Test
  void saysWhyRelaysWereExcluded() {
    Topology topology =
        network()
            .terms("a", RelayTerms.FREE.at("frankfurt"))
            .terms("b", RelayTerms.FREE.at("oregon").withPrices(0.5, 0))
            .build();
    RouteAnswer plan =
        planner.plan(
            topology,
            toMove(GIB).forbiddenSites(Set.of("frankfurt")).mostPricePerHour(0.2).build());
    assertThat(plan.excluded())
        .containsExactly(
            new Exclusion("a", "its site is not allowed: frankfurt"),
            new Exclusion("b", "its price of 0.5 per hour is above the ceiling of 0.2"));
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
  }

  @Test
  void relaysOfUnknownSiteAreNotAllowedWhereSitesAreNamed() {
    Topology topology = network().terms("a", RelayTerms.FREE.at("oregon")).build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).allowedSites(Set.of("oregon")).build());
    assertThat(plan.bestCascade().orElseThrow().route().relays()).containsExactly("a");
    assertThat(plan.excluded()).containsExactly(new Exclusion("b", "its site is unknown"));
  }

  @Test
  void aRelayForwardsNoMoreThanIsFree() {
    Topology topology = network().terms("a", RelayTerms.FREE.withFree(3e6)).build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).avoid(Set.of("b")).build());
    Prediction prediction = plan.bestCascade().orElseThrow().prediction().orElseThrow();
    assertThat(prediction.steadyBitsPerSecond().likely()).isCloseTo(3e6, within(1e-3));
    assertThat(prediction.bottleneckHop().bitsPerSecond().high()).isCloseTo(3e6, within(1e-3));
    assertThat(prediction.hops().getFirst().basis()).contains("of it free");
  }

  @Test
  void aRelayWithNothingLeftIsNotUsed() {
    Topology topology = network().terms("a", RelayTerms.FREE.withFree(0)).build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).build());
    assertThat(plan.bestCascade().orElseThrow().route().relays()).containsExactly("b");
    assertThat(plan.excluded())
        .containsExactly(new Exclusion("a", "nothing of its capacity is free"));
    RouteAnswer required = planner.plan(topology, toMove(GIB).via(List.of("a")).build());
    assertThat(required.chosen().basis()).isEqualTo("nothing is free on s→a, a→d");
  }

  @Test
  void promisedLinksAreAsNarrowAsWhatIsLeftOfThem() {
    Topology topology = network().terms("s", "a", LinkTerms.USUAL.withFree(2e6)).build();
    RouteAnswer plan = planner.plan(topology, toMove(GIB).avoid(Set.of("b")).build());
    assertThat(
            plan.bestCascade()
                .orElseThrow()
                .prediction()
                .orElseThrow()
                .steadyBitsPerSecond()
                .likely())
        .isCloseTo(2e6 * 1448 / 1538, within(1.0));
  }

  /** 1 MB of 2 MB is data, and all of it at best: 100 and 200 Mbit/s over 80 ms. */
  @Test
  void aHopHasNoMoreUnderWayThanTheBuffersAtItsEndsHold() {
    LinkEstimate far = link(80, 0, 100_000_000).withCapacity(Rate.ofMegabits(1000));
    Topology.Builder network =
        Topology.builder()
            .link("s", "d", link(160, 100, 1000))
            .link("s", "a", link(1, 0, 100_000_000).withCapacity(Rate.ofMegabits(1000)));
    RouteQuestion request =
        toMove(GIB).congestionControl(CongestionControl.CUBIC, CongestionControl.BBR).build();
    RouteAnswer plan =
        planner.plan(network.link("a", "d", far.withBuffers(2_000_000)).build(), request);
    Prediction prediction = plan.bestCascade().orElseThrow().prediction().orElseThrow();
    HopPrediction held = prediction.bottleneckHop();
    assertThat(held.name()).isEqualTo("a→d");
    assertThat(held.bitsPerSecond().likely()).isCloseTo(100e6, within(1e-3));
    assertThat(held.bitsPerSecond().low()).isCloseTo(100e6, within(1e-3));
    assertThat(held.bitsPerSecond().high()).isCloseTo(200e6, within(1e-3));
    assertThat(held.limit()).isEqualTo(RateLimit.RECEIVE_WINDOW);
    assertThat(held.basis()).contains("socket buffers 2000000 B");
    assertThat(held.withoutBuffersBitsPerSecond()).isBetween(800e6, 1000e6);
  }

  @Test
  void buffersThatAreLargeEnoughChangeNothing() {
    RouteQuestion request = toMove(GIB).avoid(Set.of("b")).build();
    Topology topology = network().build();
    Topology.Builder buffered = Topology.builder();
    for (String from : topology.nodes()) {
      topology
          .linksFrom(from)
          .forEach((to, link) -> buffered.link(from, to, link.withBuffers(1L << 30)));
    }
    assertThat(planner.plan(buffered.build(), request).candidates())
        .isEqualTo(planner.plan(topology, request).candidates());
  }

  /** 0.02 per GiB of traffic and 0.36 per hour: one GiB in 100 s costs 0.02 + 0.01. */
  @Test
  void aTransferPaysForTrafficAndForItsTime() {
    Price price = Price.ofTransfer(0.02, 0.36, (double) GIB, 100);
    assertThat(price.total()).isCloseTo(0.03, within(1e-12));
    assertThat(price.perGibibyte()).isCloseTo(0.03, within(1e-12));
    assertThat(Price.ofTransfer(0.02, 0.36, 10.0 * GIB, 1000).perGibibyte())
        .isCloseTo(0.03, within(1e-12));
  }

  /** 8 GiB of bits in an hour is one GiB of bytes: traffic and hours come to the same. */
  @Test
  void aStreamPaysByTheHour() {
    Price price = Price.ofStream(0.02, 0.36, 8.0 * GIB / 3600);
    assertThat(price.total()).isCloseTo(0.38, within(1e-12));
    assertThat(price.perGibibyte()).isCloseTo(0.38, within(1e-12));
  }

  @Test
  void theLowestPriceAtARateThatTheDirectPathReachesIsDirect() {
    Topology topology = network().terms("a", RelayTerms.FREE.withPrices(0, 0.02)).build();
    RouteAnswer plan =
        planner.plan(
            topology, toMove(GIB).avoid(Set.of("b")).leastPriceFor(Rate.ofMegabits(1)).build());
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
  }

  @Test
  void aRateThatOnlyRelaysReachIsPaidFor() {
    Topology topology =
        network()
            .terms("a", RelayTerms.FREE.withPrices(0, 0.02))
            .terms("b", RelayTerms.FREE.withPrices(0, 0.05))
            .build();
    RouteQuestion request =
        toMove(GIB)
            .congestionControl(CongestionControl.RENO, CongestionControl.RENO)
            .leastPriceFor(Rate.ofMegabits(10))
            .confidence(0.9)
            .build();
    RouteAnswer plan = planner.plan(topology, request);
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("a");
    assertThat(plan.chosen().prediction().orElseThrow().price().total())
        .isCloseTo(0.02, within(1e-12));
  }

  @Test
  void aRateThatNothingReachesGivesTheFaster() {
    RouteAnswer plan =
        planner.plan(network().build(), toMove(GIB).leastPriceFor(Rate.ofMegabits(900)).build());
    assertThat(plan.chosen().kind()).isEqualTo(Candidate.Kind.CASCADE);
  }

  @Test
  void everyFurtherRelayHasItsValue() {
    RouteAnswer plan = planner.plan(network().build(), toMove(GIB).build());
    assertThat(plan.relayValues()).extracting(RelayValue::relays).containsExactly(1, 2);
    double direct = plan.candidate(Candidate.Kind.DIRECT).orElseThrow().likelyCost();
    RelayValue first = plan.relayValues().getFirst();
    RelayValue second = plan.relayValues().getLast();
    assertThat(first.gainOverOneFewer()).isEqualTo(direct / first.best().likelyCost());
    assertThat(second.gainOverOneFewer())
        .isEqualTo(first.best().likelyCost() / second.best().likelyCost());
  }

  @Test
  void contradictionsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> toMove(GIB).objective(Objective.PRICE).build())
        .withMessage("objective: PRICE (expected: a rate to reach, too)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> toMove(GIB).allowedSites(Set.of("x")).forbiddenSites(Set.of("x")).build())
        .withMessage("allowedSites: [x] (expected: none of those forbidden: [x])");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RelayTerms.FREE.withFree(-1))
        .withMessage("freeBitsPerSecond: -1.0 (expected: >= 0 and finite)");
  }

  private static RouteQuestion.Builder toMove(long bytes) {
    return RouteQuestion.between("s", "d").bytes(bytes);
  }

  /** 64 ms at 0.1 %; relays a and b half-way, both equally good, and a short link between them. */
  private static Topology.Builder network() {
    Topology.Builder builder = Topology.builder().link("s", "d", link(64));
    for (String relay : List.of("a", "b")) {
      builder.link("s", relay, link(32)).link(relay, "d", link(32));
    }
    return builder.link("a", "b", link(5)).link("b", "a", link(5));
  }

  private static LinkEstimate link(long rttMillis) {
    return link(rttMillis, 1000, 1_000_000).withCapacity(Rate.ofMegabits(100));
  }

  private static LinkEstimate link(long rttMillis, long lost, long sent) {
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(lost, sent));
  }
}
