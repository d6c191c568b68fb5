package io.cascade.siting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SitePlannerTest {

  private static final long GIB = 1L << 30;
  private static final LinkEstimate LONG = link(200, 100);
  private static final LinkEstimate HALF = link(100, 50);
  private static final LinkEstimate SHORT = link(20, 10);

  private static LinkEstimate link(int rttMillis, int lostOf100k) {
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(lostOf100k, 100_000))
        .withCapacity(Rate.ofMegabits(1_000));
  }

  private static Siting exact(SitingRequest request) {
    return new SitePlanner().exact(request);
  }

  private static List<String> names(Siting siting) {
    return siting.sites().stream().map(rented -> rented.site().name()).toList();
  }

  @Test
  void greedyMissesTwoSitesThatAreWorthMuchOnlyTogether() {
    Topology links =
        Topology.builder()
            .link("src", "dst", LONG)
            .link("src", "a", SHORT)
            .link("a", "b", SHORT)
            .link("b", "dst", SHORT)
            .link("src", "c", link(190, 100))
            .link("c", "dst", SHORT)
            .build();
    SitingRequest request =
        SitingRequest.of(
            List.of(new Site("a", 1), new Site("b", 1), new Site("c", 1)),
            List.of(Demands.stream("src", "dst")),
            links,
            2,
            Objective.GAIN);

    Siting siting = exact(request);

    assertThat(names(siting)).containsExactly("a", "b");
    assertThat(siting.greedySites()).containsExactly("c");
    assertThat(siting.outcome().gain()).isGreaterThan(100 * siting.greedy().gain());
    assertThat(siting.greedyGap().orElseThrow()).isGreaterThan(0.99);
  }

  private static final Topology TWO_DEMANDS =
      Topology.builder()
          .link("src", "dst", LONG)
          .link("src", "end", LONG)
          .link("src", "a", HALF)
          .link("a", "dst", HALF)
          .link("src", "b", HALF)
          .link("b", "end", HALF)
          .build();
  private static final List<Site> A_AND_B = List.of(new Site("a", 30), new Site("b", 20));
  private static final Demand TO_DST = Demands.transfer("src", "dst", GIB);
  private static final Demand TO_END = Demands.transfer("src", "end", GIB);

  @Test
  void theWeightierDemandGetsTheOnlySite() {
    SitingRequest request =
        SitingRequest.of(
            A_AND_B, List.of(TO_DST, Demands.weighted(TO_END, 2)), TWO_DEMANDS, 1, Objective.TIME);

    Siting siting = exact(request);

    assertThat(names(siting)).containsExactly("b");
    assertThat(siting.price()).isEqualTo(20);
    assertThat(siting.assignments().get(0).relays()).isEmpty();
    Siting.Assignment other = siting.assignments().get(1);
    assertThat(other.relays()).containsExactly("b");
    double saved = other.directSeconds().orElseThrow() - other.seconds().orElseThrow();
    assertThat(siting.outcome().gain()).isCloseTo(2 * saved, within(1e-9));
    assertThat(siting.sites().getFirst().lost().gain()).isEqualTo(siting.outcome().gain());
    assertThat(siting.gap()).hasValue(0);
  }

  @Test
  void aBudgetBindsLikeANumber() {
    SitingRequest request =
        SitingRequest.of(
            A_AND_B, List.of(Demands.weighted(TO_DST, 3), TO_END), TWO_DEMANDS, 2, Objective.TIME);
    assertThat(names(exact(request))).containsExactly("a", "b");
    assertThat(names(exact(request.withBudget(50)))).containsExactly("a", "b");
    assertThat(names(exact(request.withBudget(49)))).containsExactly("a");
    assertThat(names(exact(request.withBudget(29)))).containsExactly("b");
    assertThat(names(exact(request.withBudget(1)))).isEmpty();
  }

  @Test
  void servingADemandComesBeforeAnyGain() {
    double directRate =
        exact(SitingRequest.of(A_AND_B, List.of(TO_DST), TWO_DEMANDS, 1, Objective.TIME))
            .assignments()
            .getFirst()
            .directBitsPerSecond()
            .orElseThrow();
    SitingRequest request =
        SitingRequest.of(
            A_AND_B,
            List.of(Demands.requiring(TO_DST, 1.5 * directRate), Demands.weighted(TO_END, 1_000)),
            TWO_DEMANDS,
            1,
            Objective.TIME);

    Siting siting = exact(request);

    assertThat(names(siting)).containsExactly("a");
    assertThat(siting.outcome().served()).isEqualTo(2);
    assertThat(siting.sites().getFirst().lost().served()).isEqualTo(1);
  }

  @Test
  void aDemandThatNothingServesIsSaidToBeUnserved() {
    SitingRequest request =
        SitingRequest.of(
            A_AND_B, List.of(Demands.requiring(TO_DST, 10e9)), TWO_DEMANDS, 2, Objective.TIME);

    Siting siting = exact(request);

    assertThat(siting.outcome().served()).isZero();
    assertThat(siting.assignments().getFirst().served()).isFalse();
    assertThat(siting.assignments().getFirst().relays()).containsExactly("a");
  }

  @Test
  void anUnmeasuredDirectPathLeavesOnlyChains() {
    Topology links = Topology.builder().link("src", "a", HALF).link("a", "dst", HALF).build();
    SitingRequest request =
        SitingRequest.of(List.of(new Site("a", 1)), List.of(TO_DST), links, 1, Objective.TIME);

    Siting siting = exact(request);

    assertThat(siting.outcome().served()).isEqualTo(1);
    assertThat(siting.assignments().getFirst().relays()).containsExactly("a");
    assertThat(siting.assignments().getFirst().directSeconds()).isEmpty();
  }

  @Test
  void noSiteIsRentedWhereTheDirectPathIsAtItsCapacity() {
    LinkEstimate clean =
        LinkEstimate.of(Duration.ofMillis(20), new LossEstimate(0, 100_000))
            .withCapacity(Rate.ofMegabits(10));
    Topology links =
        Topology.builder()
            .link("src", "dst", clean)
            .link("src", "a", clean)
            .link("a", "dst", clean)
            .build();
    SitingRequest request =
        SitingRequest.of(
            List.of(new Site("a", 1)),
            List.of(Demands.stream("src", "dst")),
            links,
            1,
            Objective.GAIN);

    assertThat(names(exact(request))).isEmpty();
  }

  @Test
  void whenTimeRunsOutTheBoundStillHolds() {
    SitingRequest request =
        RandomSitings.request(new SplittableRandom(4), 30, 20, 6, 1, Objective.GAIN);

    Siting hurried = exact(request.withTimeLimit(Duration.ofMillis(1)));
    Siting patient = exact(request);

    assertThat(patient.proven()).isTrue();
    assertThat(hurried.proven()).isFalse();
    assertThat(hurried.outcome().gain()).isGreaterThanOrEqualTo(hurried.greedy().gain());
    assertThat(hurried.bound().gain()).isGreaterThanOrEqualTo(patient.outcome().gain());
    assertThat(hurried.gap().orElseThrow()).isPositive();
  }

  @Test
  void greedyNeedsNoSolverAndBoundsItselfByAllSitesTogether() {
    Siting siting =
        new SitePlanner()
            .greedy(
                SitingRequest.of(A_AND_B, List.of(TO_DST, TO_END), TWO_DEMANDS, 1, Objective.TIME));
    assertThat(siting.method()).isEqualTo(Siting.Method.GREEDY);
    assertThat(siting.proven()).isFalse();
    assertThat(siting.bound().gain()).isCloseTo(2 * siting.outcome().gain(), within(1e-9));
  }

  @Test
  void theSameRequestGetsTheSameAnswer() {
    SitingRequest request =
        RandomSitings.request(new SplittableRandom(7), 20, 10, 4, 1, Objective.TIME);
    assertThat(exact(request)).isEqualTo(exact(request));
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() {
    assertThatThrownBy(() ->
            SitingRequest.of(
                List.of(new Site("nowhere", 1)), List.of(TO_DST), TWO_DEMANDS, 1, Objective.TIME))
        .hasMessage("site: nowhere (expected: a node that some measured link touches)");
    assertThatThrownBy(() ->
            SitingRequest.of(
                A_AND_B, List.of(Demands.stream("src", "dst")), TWO_DEMANDS, 1, Objective.TIME))
        .hasMessage("bytes of src→dst: none (expected: bytes of every demand, or objective gain)");
    assertThatThrownBy(() ->
            SitingRequest.of(
                A_AND_B, List.of(Demands.stream("a", "b")), TWO_DEMANDS, 1, Objective.GAIN))
        .hasMessage("link a→b: not measured (expected: the direct path, or objective time)");
    assertThatThrownBy(() -> new Site("a", -1))
        .hasMessage("price of a: -1.0 (expected: >= 0 and finite)");
    assertThatThrownBy(() -> Demands.transfer("a", "a", 1))
        .hasMessage("demand: a→a (expected: two different nodes)");
  }
}
