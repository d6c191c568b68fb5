package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanSummaryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void theAgeOfTheMeasurementsGrowsWithThatOfThePlan() {
    assertThat(at(120.0, 0)).isEqualTo("Through den. Measured 2 min ago.");
    assertThat(at(120.0, 70)).isEqualTo("Through den. Measured 3 min ago.");
    assertThat(at(0.4, 1)).isEqualTo("Through den. Measured just now.");
  }

  @Test
  void whereNothingWasMeasuredAnOldPlanHasItsOwnAge() {
    assertThat(at(null, 1)).isEqualTo("Through den.");
    assertThat(at(null, 130)).isEqualTo("Through den. Planned 2 min ago.");
  }

  @Test
  void aClockThatIsBehindMakesNothingYounger() {
    assertThat(at(30.0, -90)).isEqualTo("Through den. Measured 30 s ago.");
  }

  @Test
  void namesAreHarmless() {
    assertThat(PlanSummary.of(plan("Through a\u001b.", null), NOW)).isEqualTo("Through a .");
  }

  @Test
  void aChainThatLeadsElsewhereThanThePlanThatWasShownSaysSo() {
    Plan shown = plan("Through den.", null);

    assertThat(PlanSummary.otherwise(shown, List.of("sea", "nyc")))
        .isEqualTo(", not den: the plan was made again for the chain");
    assertThat(PlanSummary.otherwise(shown, List.of("den"))).isEmpty();
    assertThat(PlanSummary.otherwise(null, List.of("den"))).isEmpty();
  }

  private static String at(@Nullable Double evidenceAge, long seconds) {
    return PlanSummary.of(plan("Through den.", evidenceAge), NOW.plusSeconds(seconds));
  }

  private static Plan plan(String summary, @Nullable Double evidenceAge) {
    return Plan.builder()
        .destination("h:1")
        .decision(Decision.CASCADE)
        .summary(summary)
        .relays(List.of("den"))
        .plannedAt(NOW)
        .candidates(List.of())
        .notes(List.of())
        .evidenceAgeSeconds(evidenceAge)
        .build();
  }
}
