package io.cascade.studies.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.studies.crowd.ControlPlaneResult.Phase;
import io.cascade.studies.crowd.ControlPlaneResult.Restart;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlPlaneStudyTest {
  private static final Latencies.Seconds PROMPT = new Latencies.Seconds(100, 0.01, 0.2, 0.4);
  private static final Latencies.Seconds SLOW = new Latencies.Seconds(100, 0.01, 1.2, 4);
  private static final Latencies.Seconds NEVER = new Latencies.Seconds(0, 0, 0, 0);
  private static final Restart RESTART = new Restart(9, 12);

  @Test
  void goalsAreMet() {
    ControlPlaneResult result = result(0.5, 1e6, PROMPT, 0, RESTART);

    assertThat(result.goals()).extracting(Goal::finding).containsOnly(Finding.MET);
    assertThat(ControlPlaneStudy.page(List.of(result), "").markdown())
        .contains("| < 1 | 0.50 | met |", "1.00 MB/s", "## 1,000 relays, 5,000 chains")
        .doesNotContain("missed");
  }

  @Test
  void everyGoalThatIsMissedIsNamed() {
    assertThat(missed(result(1.5, 1e6, PROMPT, 0, RESTART)))
        .containsExactly("processors of the orchestrator, relays and chains alone");
    assertThat(missed(result(0.5, 3e6, PROMPT, 0, RESTART))).hasSize(1);
    assertThat(missed(result(0.5, 1e6, SLOW, 0, RESTART))).hasSize(2);
    assertThat(missed(result(0.5, 1e6, PROMPT, 1, RESTART))).hasSize(1);
    assertThat(missed(result(0.5, 1e6, PROMPT, 0, new Restart(16, 20)))).hasSize(1);
  }

  @Test
  void whatWasNotMeasuredIsNotMet() {
    assertThat(missed(result(0.5, 1e6, NEVER, 0, RESTART))).hasSize(2);
  }

  @Test
  void whatNeverCameIsReadAgainAsThat() {
    ControlPlaneResult result =
        result(0.5, 1e6, PROMPT, 0, new Restart(9, Double.POSITIVE_INFINITY));

    ControlPlaneResult again =
        Json.lenient()
            .readValue(Json.lenient().writeValueAsString(result), ControlPlaneResult.class);

    assertThat(again).isEqualTo(result);
    assertThat(again.goals().getLast().found()).isEqualTo("never");
  }

  private static List<String> missed(ControlPlaneResult result) {
    return result.goals().stream()
        .filter(goal -> goal.finding() == Finding.MISSED)
        .map(Goal::what)
        .toList();
  }

  @Test
  void timesAreThoseOfAPhase() {
    Latencies latencies = new Latencies();
    latencies.record(2_000_000_000L);
    assertThat(latencies.next().longest()).isBetween(1.99, 2.01);
    assertThat(latencies.next().count()).isZero();
  }

  private static ControlPlaneResult result(
      double cores, double bytes, Latencies.Seconds answers, long lost, Restart restart) {
    Phase phase = new Phase(60, cores, bytes, answers, PROMPT);
    return new ControlPlaneResult(
        new ControlPlane.Load(1_000, 200, 5_000, Duration.ofSeconds(60)),
        1,
        phase,
        phase,
        new Callers.Outcome(10, 20, 30, 40, 50, 0, PROMPT),
        lost,
        0,
        restart);
  }
}
