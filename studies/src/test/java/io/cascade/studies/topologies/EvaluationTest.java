package io.cascade.studies.topologies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Four regions. From a to d directly: 100 ms, 1000 Mbit/s. Through b the round trip is shorter but
 * the rate lower; through c it is longer and the rate three times as high.
 */
class EvaluationTest {

  private static final PairTable ROUND_TRIPS =
      PairTable.parse(
          """
          from,a,b,c,d
          a,,40,70,100
          b,,,50,40
          c,,,,70
          d,,,,
          """);

  private static final CloudGrid GRID =
      grid(
          """
          from,a,b,c,d
          a,,3500,3200,1000
          b,,,4000,800
          c,,,,3000
          d,,,,
          """);

  private static final Evaluation EVALUATION = new Evaluation(0.1, 2);
  private static final CloudGrid.Pair A_D = new CloudGrid.Pair("a", "d");

  private static CloudGrid grid(String megabits) {
    return new CloudGrid(ROUND_TRIPS, PairTable.parse(megabits));
  }

  private static RuleOutcome judged(Method method, CloudGrid known, CloudGrid truth) {
    Map<Method, List<RuleOutcome>> results =
        EVALUATION.judge(new Scenario("test", "test", List.of(known), truth));
    return results.getOrDefault(method, List.of()).stream()
        .filter(one -> one.pair().equals(A_D))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachRuleTakesItsRoute() {
    assertThat(judged(Method.DIRECT, GRID, GRID).gain()).isEqualTo(1);

    RuleOutcome byRoundTrip = judged(Method.LEAST_ROUND_TRIP, GRID, GRID);
    assertThat(byRoundTrip.choice().route()).containsExactly("a", "b", "d");
    assertThat(byRoundTrip.gain()).isEqualTo(0.8);
    assertThat(byRoundTrip.isBelowDirect()).isTrue();

    for (Method method : List.of(Method.MEASURED_THROUGHPUT, Method.PLANNER, Method.HINDSIGHT)) {
      RuleOutcome best = judged(method, GRID, GRID);
      assertThat(best.choice().route()).as(method.title()).containsExactly("a", "c", "d");
      assertThat(best.gain()).isEqualTo(3);
    }
  }

  @Test
  void plannerIsSureOfALargeGainAndDoesNotTry() {
    assertThat(judged(Method.PLANNER, GRID, GRID).choice().isUndecided()).isFalse();
    assertThat(judged(Method.PLANNER_WITH_TRIAL, GRID, GRID).gain()).isEqualTo(3);
  }

  @Test
  void routesAreJudgedByTheTruthAndTheCauseIsNamed() {
    CloudGrid slowed =
        grid(
            """
            from,a,b,c,d
            a,,3500,3200,1000
            b,,,4000,800
            c,,,,600
            d,,,,
            """);

    RuleOutcome planned = judged(Method.PLANNER, GRID, slowed);

    assertThat(planned.promisedGain()).isEqualTo(3);
    assertThat(planned.gain()).isEqualTo(0.6);
    assertThat(planned.cause())
        .isEqualTo(new RuleOutcome.Cause(new CloudGrid.Pair("c", "d"), false, 0.2));
  }

  @Test
  void directPathThatBecameFasterIsTheCause() {
    CloudGrid faster =
        grid(
            """
            from,a,b,c,d
            a,,3500,3200,4000
            b,,,4000,800
            c,,,,3000
            d,,,,
            """);

    assertThat(judged(Method.MEASURED_THROUGHPUT, GRID, faster).cause())
        .isEqualTo(new RuleOutcome.Cause(A_D, true, 4));
  }

  @Test
  void undecidedPlanTriesBothAndPaysForIt() {
    CloudGrid close =
        grid(
            """
            from,a,b,c,d
            a,,3500,1100,1000
            b,,,4000,800
            c,,,,1200
            d,,,,
            """);
    CloudGrid wrong =
        grid(
            """
            from,a,b,c,d
            a,,3500,1100,1000
            b,,,4000,800
            c,,,,500
            d,,,,
            """);

    RuleOutcome planned = judged(Method.PLANNER, close, wrong);
    RuleOutcome tried = judged(Method.PLANNER_WITH_TRIAL, close, wrong);

    assertThat(planned.choice().rival()).contains(List.of("a", "d"));
    assertThat(planned.gain()).isEqualTo(0.5);
    assertThat(tried.gain()).isEqualTo(0.95, within(1e-12));
    assertThat(tried.isBelowDirect()).isFalse();
  }

  @Test
  void pairsThatTheTruthLacksAreNotJudged() {
    CloudGrid partial = grid("from,a,b,c,d\na,,3500,3200,1000\nb,,,4000,\nc,,,,3000\nd,,,,\n");

    assertThat(
            EVALUATION
                .judge(new Scenario("test", "test", List.of(GRID), partial))
                .getOrDefault(Method.DIRECT, List.of()))
        .extracting(one -> one.pair().toString())
        .containsExactly("a → b", "a → c", "a → d", "b → c", "c → d");
  }

  @Test
  void differenceIsOfThroughputs() {
    CloudGrid doubled =
        new CloudGrid(ROUND_TRIPS, GRID.megabitsPerSecond().map(megabits -> 2 * megabits));
    Difference difference = Difference.between(List.of(GRID), doubled);

    assertThat(difference.median()).isEqualTo(2, within(1e-12));
    assertThat(difference.spread()).isEqualTo(0, within(1e-12));
    assertThat(Difference.between(List.of(GRID.withErrors(0, 0.1, 1)), GRID).spread())
        .isBetween(0.03, 0.3);
  }

  @Test
  void errorsAreTheSameForTheSameSeed() {
    CloudGrid once = GRID.withErrors(0.02, 0.2, 7);

    assertThat(GRID.withErrors(0.02, 0.2, 7)).isEqualTo(once);
    assertThat(GRID.withErrors(0.02, 0.2, 8)).isNotEqualTo(once);
    assertThat(once.hopMegabits("a", "d")).isNotEqualTo(GRID.hopMegabits("a", "d"));
  }

  @Test
  void reportIsTheSameEachTime() {
    // Not "exact", which has prices: those are the published regions', and the tiny grid has none.
    List<Scenario> noPrices =
        List.of(new Scenario("errors", "noisy", List.of(GRID.withErrors(0.02, 0.5, 1)), GRID));

    assertThat(TopologiesReport.of(0.1, noPrices).page().markdown())
        .isEqualTo(TopologiesReport.of(0.1, noPrices).page().markdown());
    assertThat(TopologiesReport.of(0.1, noPrices).page().markdown())
        .contains("## Noisy", "| hindsight |");
  }
}
