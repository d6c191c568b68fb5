package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanAdviceTest {
  private static final HopPrediction HOP =
      HopPrediction.builder()
          .from("source")
          .to("destination")
          .rttMillis(60.0)
          .probesSent(10L)
          .probesLost(0L)
          .basis("")
          .build();

  @Test
  void aCascadeHasItsGainAndHowSureThatIs() {
    assertThat(advice(Decision.CASCADE, List.of("edge", "sea"), 0.974))
        .isEqualTo(
            "through edge, sea: about 4 times as fast as direct (likely 3.1 to 4.8), 97 % sure");
    assertThat(advice(Decision.CASCADE, List.of("edge", "sea"), 1.0)).endsWith(", 99 % sure");
    assertThat(advice(Decision.CASCADE, List.of("edge", "sea"), null)).doesNotContain("sure");
  }

  @Test
  void whereRelaysDoNotHelpDirectIsAsGood() {
    assertThat(advice(Decision.DIRECT, List.of("edge", "sea"), 0.2)).isEqualTo("direct is as good");
    assertThat(advice(Decision.UNDECIDED, List.of("edge"), 0.5))
        .isEqualTo("direct: no other relay leads there");
    assertThat(advice(Decision.DIRECT, null, null)).isEqualTo("direct: no other relay leads there");
  }

  @Test
  void whatIsNotKnownNamesHowToMeasureIt() {
    assertThat(advice(Decision.UNDECIDED, List.of("edge", "sea"), 0.6))
        .isEqualTo("not known: measure with ./cascade plan --to db:5432 --from edge");
  }

  @Test
  void aClientMeasuresForItself() {
    Candidate direct = candidate(CandidateKind.DIRECT, List.of(), 50, 60, 66);
    List<Candidate> candidates =
        List.of(direct, candidate(CandidateKind.CASCADE, List.of("sea"), 13, 15, 18));

    assertThat(PlanAdvice.of(plan(Decision.UNDECIDED, List.of("sea"), candidates, 0.6), null))
        .isEqualTo("not known: measure with ./cascade plan --to db:5432 --test");
    assertThat(PlanAdvice.of(plan(Decision.CASCADE, List.of("sea"), candidates, 0.974), null))
        .startsWith("through sea: about 4 times as fast");
    assertThat(PlanAdvice.of(plan(Decision.DIRECT, null, List.of(direct), null), null))
        .isEqualTo("direct: no relay leads there");
  }

  @Test
  void aDestinationThatNobodyReachedHasNoAdvice() {
    assertThat(PlanAdvice.of(plan(Decision.DIRECT, null, List.of(), null), "edge"))
        .isEqualTo("not known: the destination was not reached during planning");
  }

  private static String advice(
      Decision decision, @Nullable List<String> relays, @Nullable Double wins) {
    Candidate direct = candidate(CandidateKind.DIRECT, List.of(), 50, 60, 66);
    Candidate cascade =
        candidate(CandidateKind.CASCADE, relays == null ? List.of() : relays, 13, 15, 18);
    return PlanAdvice.of(plan(decision, relays, List.of(direct, cascade), wins), "edge");
  }

  private static Plan plan(
      Decision decision,
      @Nullable List<String> relays,
      List<Candidate> candidates,
      @Nullable Double wins) {
    return Plan.builder()
        .destination("db:5432")
        .decision(decision)
        .summary("")
        .relays(relays)
        .plannedAt(Instant.EPOCH)
        .candidates(candidates)
        .probabilityCascadeWins(wins)
        .notes(List.of())
        .build();
  }

  private static Candidate candidate(
      CandidateKind kind, List<String> relays, double low, double likely, double high) {
    return Candidate.builder()
        .kind(kind)
        .relays(relays)
        .chosen(false)
        .secondsLow(low)
        .seconds(likely)
        .secondsHigh(high)
        .hops(List.of(HOP))
        .build();
  }
}
