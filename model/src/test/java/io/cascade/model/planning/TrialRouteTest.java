package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is tried beside a direct path of 160 ms that loses 0.5 %. */
class TrialRouteTest {
  private static final RouteQuestion REQUEST =
      RouteQuestion.between("s", "d").bytes(60L << 20).build();

  /**
   * Nobody has sent from the source to the first relay: a dozen connections are all that is known.
   */
  @Test
  void twoRelaysAreTriedWhereOneWasSeenAndShorterHopsPromiseMore() {
    Topology topology =
        direct()
            .link("s", "b", seen(80, 20, 5_000, 2.4))
            .link("b", "d", seen(80, 3, 5_000, 7))
            .link("s", "a", unseen(40, 0, 24))
            .link("a", "b", unseen(40, 2, 1_000))
            .link("a", "d", unseen(120, 0, 200))
            .build();

    assertThat(tried(topology)).hasValue(List.of("a", "b"));
  }

  @Test
  void whereNothingWasSeenTheWayThatPromisesMostIsTried() {
    Topology topology =
        direct()
            .link("s", "b", unseen(80, 0, 24))
            .link("b", "d", unseen(80, 0, 200))
            .link("s", "a", unseen(40, 1, 24))
            .link("a", "b", unseen(40, 2, 1_000))
            .build();

    assertThat(tried(topology)).hasValue(List.of("a", "b"));
  }

  @Test
  void anotherRelayAsFarAwayIsNotWorthATrial() {
    Topology topology =
        direct()
            .link("s", "b", seen(80, 12, 5_000, 3.5))
            .link("b", "d", seen(80, 12, 5_000, 3.5))
            .link("s", "a", unseen(80, 0, 24))
            .link("a", "d", unseen(80, 0, 200))
            .build();

    assertThat(tried(topology)).isEmpty();
  }

  /** The way through b is not decided for, but is faster with a probability above 90 %. */
  @Test
  void besideRelaysThatAreKnownToBeFasterOnlyTwiceTheirRateIsWorthATrial() {
    RouteAnswer plan = plan(likelyFaster().build());
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.probabilityCascadeWins().orElseThrow()).isGreaterThan(0.9);

    Topology somewhatFaster =
        likelyFaster()
            .link("s", "a", unseen(70, 4, 8_000))
            .link("a", "d", unseen(70, 4, 8_000))
            .build();
    assertThat(tried(somewhatFaster)).isEmpty();

    Topology farFaster =
        likelyFaster()
            .link("s", "a", unseen(20, 2, 8_000))
            .link("a", "d", unseen(20, 2, 8_000))
            .build();
    assertThat(tried(farFaster)).hasValue(List.of("a"));
  }

  private static Topology.Builder likelyFaster() {
    return Topology.builder()
        .link("s", "d", seen(160, 2, 1_000, 10))
        .link("s", "b", seen(80, 5, 8_000, 20))
        .link("b", "d", seen(80, 5, 8_000, 20));
  }

  /** Relays are no faster than the direct path, so that a trial has to beat that one. */
  @Test
  void aTrialMustPromiseMoreThanTheDirectPathWasSeenToCarry() {
    Topology topology =
        Topology.builder()
            .link("s", "d", seen(100, 5, 8_000, 20))
            .link("s", "b", seen(100, 10, 8_000, 20))
            .link("b", "d", seen(30, 5, 8_000, 60))
            .link("s", "a", unseen(100, 5, 8_000))
            .link("a", "d", unseen(30, 5, 8_000))
            .build();
    assertThat(plan(topology).decision()).isEqualTo(Decision.UNDECIDED);

    assertThat(tried(topology)).isEmpty();
  }

  /** The relay k stands on the destination's host; nothing was sent from there to d. */
  @Test
  void anUnseenLinkAddsNothingToLinksOfWhichTheRateWasSeen() {
    Topology topology =
        direct()
            .link("s", "b", seen(80, 0, 5_000, 2.4))
            .link("b", "d", seen(80, 0, 5_000, 2.4))
            .link("b", "k", seen(80, 0, 5_000, 2.4))
            .link("k", "d", unseen(1, 0, 5_000))
            .build();

    assertThat(tried(topology)).isEmpty();
  }

  @Test
  void aLinkThatIsKnownToLoseIsNotTakenForBetter() {
    Topology topology =
        direct()
            .link("s", "b", seen(80, 20, 5_000, 2.4))
            .link("b", "d", seen(80, 5, 5_000, 4.8))
            .link("s", "a", unseen(40, 0, 24))
            .link("a", "b", unseen(40, 100, 5_000))
            .build();

    assertThat(tried(topology)).isEmpty();
  }

  @Test
  void nothingIsTriedWhereAllWasSeenOrRelaysAreRuledOutOrNothingIsKnownOfTheDirectPath() {
    Topology.Builder known =
        direct().link("s", "b", seen(80, 20, 5_000, 2.4)).link("b", "d", seen(80, 5, 5_000, 4.8));
    assertThat(tried(known.build())).isEmpty();

    Topology far =
        direct()
            .link("s", "b", unseen(400, 300, 5_000))
            .link("b", "d", unseen(400, 300, 5_000))
            .build();
    assertThat(plan(far).decision()).isEqualTo(Decision.DIRECT);
    assertThat(tried(far)).isEmpty();

    Topology without =
        Topology.builder()
            .link("s", "b", unseen(40, 0, 24))
            .link("b", "d", unseen(40, 0, 24))
            .build();
    assertThat(tried(without)).isEmpty();
  }

  private static Optional<List<String>> tried(Topology topology) {
    return TrialRoute.of(topology, REQUEST, plan(topology)).map(one -> one.route().relays());
  }

  private static RouteAnswer plan(Topology topology) {
    return new RoutePlanner().plan(topology, REQUEST);
  }

  private static Topology.Builder direct() {
    return Topology.builder().link("s", "d", seen(160, 25, 5_000, 1.2));
  }

  private static LinkEstimate seen(long rttMillis, long lost, long sent, double megabits) {
    return estimate(rttMillis, lost, sent, megabits * 1e6);
  }

  private static LinkEstimate unseen(long rttMillis, long lost, long sent) {
    return estimate(rttMillis, lost, sent, 0);
  }

  private static LinkEstimate estimate(long rttMillis, long lost, long sent, double bitsPerSecond) {
    return new LinkEstimate(
        Duration.ofMillis(rttMillis),
        new LossEstimate(lost, sent),
        new Capacity.AtLeast(bitsPerSecond));
  }
}
