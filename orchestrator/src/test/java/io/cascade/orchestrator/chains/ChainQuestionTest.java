package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainQuestionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String TO = "192.0.2.7:5001";

  /** A sender that tries both ways keeps the direct one in use where the plan is undecided. */
  @ParameterizedTest
  @CsvSource({"true, UNDECIDED, true", "true, CASCADE, false", "false, UNDECIDED, false"})
  void dataIsSharedWithTheDirectWayWhereATrialIsUndecided(
      boolean trial, Decision decision, boolean shared) {
    ChainRequest request =
        ChainRequest.builder()
            .destination(TO)
            .question(PlanRequest.builder().destination(TO).trial(trial).build())
            .build();
    Chain chain =
        new Chain(
            UUID.randomUUID(),
            request,
            null,
            ChainState.READY,
            null,
            plan(decision),
            null,
            null,
            NOW,
            NOW);
    assertThat(ChainQuestion.sharesWithDirect(chain)).isEqualTo(shared);
  }

  private static Plan plan(Decision decision) {
    return Plan.builder()
        .destination(TO)
        .decision(decision)
        .summary("")
        .plannedAt(NOW)
        .candidates(List.of())
        .notes(List.of())
        .build();
  }
}
