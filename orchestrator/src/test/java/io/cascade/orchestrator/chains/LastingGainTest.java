package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.orchestrator.chains.LastingGain.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When pipes move to better routes. */
class LastingGainTest {
  private static final List<List<String>> PRESENT = List.of(List.of("a", "b", "z"));
  private static final List<List<String>> BEST = List.of(List.of("a", "c", "z"));

  private final LastingGain gain = new LastingGain(Duration.ofSeconds(60));

  @Test
  void aGainThatLastsMovesThePipesAndNotBefore() {
    assertThat(lasts(0, 100, 150)).isFalse();
    assertThat(lasts(59, 100, 200)).isFalse();
    assertThat(lasts(60, 100, 150)).isTrue();
  }

  @Test
  void aGainThatIsGoneOnceBeginsAnew() {
    assertThat(lasts(0, 100, 150)).isFalse();
    assertThat(lasts(30, 100, 149)).isFalse();
    assertThat(lasts(60, 100, 150)).isFalse();
    assertThat(lasts(119, 100, 150)).isFalse();
    assertThat(lasts(120, 100, 150)).isTrue();
  }

  @Test
  void routesThatAreBestInTurnsMoveNothing() {
    for (int second = 0; second < 600; second += 10) {
      String relay = second % 20 == 0 ? "c" : "d";
      Promise best = new Promise(List.of(List.of("a", relay, "z")), 500);
      assertThat(gain.lasts(at(second), new Promise(PRESENT, 100), best)).isFalse();
    }
  }

  @Test
  void thePresentRoutesInAnotherOrderAreNoGain() {
    List<List<String>> both = List.of(PRESENT.getFirst(), BEST.getFirst());
    for (int second = 0; second < 300; second += 10) {
      assertThat(gain.lasts(at(second), new Promise(both, 100), new Promise(both.reversed(), 500)))
          .isFalse();
    }
  }

  @Test
  void wherePresentRoutesPromiseNothingKnownNothingMoves() {
    assertThat(lasts(0, 0, 500)).isFalse();
    assertThat(lasts(600, 0, 500)).isFalse();
  }

  private boolean lasts(int second, double present, double best) {
    return gain.lasts(at(second), new Promise(PRESENT, present), new Promise(BEST, best));
  }

  private static Instant at(int second) {
    return Instant.EPOCH.plusSeconds(second);
  }

  @Test
  void aPlanPromisesOfARouteWhatItsCandidateDoes() {
    Plan plan = plan(candidate("c", 300.0), candidate("b", 100.0), candidate("d", null));

    assertThat(Promise.of(plan, List.of("a", "c"))).isEqualTo(promise("c", 300));
    assertThat(Promise.of(plan, List.of("a", "d"))).isEqualTo(promise("d", 0));
  }

  @Test
  void aRouteThatIsNoCandidatePromisesNoMoreThanTheLeastOfThose() {
    Plan plan = plan(candidate("c", 300.0), candidate("b", 100.0));

    assertThat(Promise.of(plan, List.of("a", "x"))).isEqualTo(promise("x", 100));
  }

  private static Promise promise(String relay, double rate) {
    return new Promise(List.of(List.of("a", relay)), rate);
  }

  private static Candidate candidate(String relay, @Nullable Double rate) {
    return candidate(CandidateKind.CASCADE, List.of("a", relay), rate);
  }

  static Candidate candidate(CandidateKind kind, List<String> relays, @Nullable Double rate) {
    return Candidate.builder()
        .kind(kind)
        .relays(relays)
        .chosen(false)
        .bitsPerSecond(rate)
        .hops(List.of())
        .build();
  }

  @Test
  void aRouteThatNobodyTriedPromisesItsLowerBound() {
    Candidate bound =
        Candidate.builder()
            .kind(CandidateKind.CASCADE)
            .relays(List.of("a", "c"))
            .chosen(false)
            .bitsPerSecondLow(200.0)
            .bitsPerSecondHigh(400.0)
            .hops(List.of())
            .evidence(RateEvidence.BOUND)
            .build();

    assertThat(Promise.of(plan(bound), List.of("a", "c"))).isEqualTo(promise("c", 200));
  }

  static Plan plan(Candidate... candidates) {
    return Plan.builder()
        .destination("h:1")
        .decision(Decision.CASCADE)
        .summary("")
        .relays(List.of("a", "c"))
        .plannedAt(Instant.EPOCH)
        .candidates(List.of(candidates))
        .notes(List.of())
        .build();
  }
}
