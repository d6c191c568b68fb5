package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndecidedStepsTest {
  @Test
  void anUndecidedPlanNamesWhatToType() {
    assertThat(UndecidedSteps.of(plan(Decision.UNDECIDED, List.of("den")), null, false))
        .anyMatch(line -> line.contains("./cascade plan --to h:1 --test"))
        .anyMatch(line -> line.contains("./cascade open --to h:1 --try"))
        .anyMatch(line -> line.contains("--socks"));
  }

  @Test
  void whatWasTestedIsNotProposedAgain() {
    assertThat(UndecidedSteps.of(plan(Decision.UNDECIDED, List.of("den")), null, true))
        .noneMatch(line -> line.contains("--test"))
        .anyMatch(line -> line.contains("./cascade open --to h:1 --try"));
  }

  @Test
  void relaysCompareTheWaysOfTrafficThatStartsAtOne() {
    Plan plan = plan(Decision.UNDECIDED, List.of("den"));
    assertThat(UndecidedSteps.of(plan, "home", false))
        .noneMatch(line -> line.contains("send FILE"))
        .anyMatch(line -> line.contains("./cascade plan --to h:1 --from home --test"))
        .anyMatch(line -> line.contains("./cascade open --to h:1 --from home --try"));
    assertThat(UndecidedSteps.of(plan, "home", true)).noneMatch(line -> line.contains("--test"));
  }

  @Test
  void aDecisionNeedsNothing() {
    assertThat(UndecidedSteps.of(plan(Decision.CASCADE, List.of("den")), null, false)).isEmpty();
    assertThat(UndecidedSteps.of(plan(Decision.UNDECIDED, List.of()), null, false)).isEmpty();
  }

  private static Plan plan(Decision decision, List<String> relays) {
    return Plan.builder()
        .destination("h:1")
        .decision(decision)
        .summary("")
        .relays(relays)
        .plannedAt(Instant.EPOCH)
        .candidates(List.of())
        .notes(List.of())
        .build();
  }
}
