package io.cascade.studies.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.crowd.ControlPlaneReport.Phase;
import io.cascade.studies.crowd.ControlPlaneReport.Restart;
import org.junit.jupiter.api.Test;

class ControlPlaneReportTest {
  private static final Latencies.Seconds PROMPT = new Latencies.Seconds(100, 0.01, 0.2, 0.4);
  private static final Latencies.Seconds SLOW = new Latencies.Seconds(100, 0.01, 1.2, 4);
  private static final Latencies.Seconds NEVER = new Latencies.Seconds(0, 0, 0, 0);
  private static final Restart RESTART = new Restart(9, 12);

  @Test
  void goalsHold() {
    ControlPlaneReport report = report(0.5, 1e6, PROMPT, 0, RESTART);

    assertThat(report.held()).isTrue();
    assertThat(report.table()).doesNotContain("does not hold").contains("0.50", "1.00 MB/s");
  }

  @Test
  void everyGoalThatIsMissedIsNamed() {
    assertThat(report(1.5, 1e6, PROMPT, 0, RESTART).held()).isFalse();
    assertThat(report(0.5, 3e6, PROMPT, 0, RESTART).held()).isFalse();
    assertThat(report(0.5, 1e6, SLOW, 0, RESTART).held()).isFalse();
    assertThat(report(0.5, 1e6, PROMPT, 1, RESTART).held()).isFalse();
    assertThat(report(0.5, 1e6, PROMPT, 0, new Restart(16, 20)).held()).isFalse();
    assertThat(report(0.5, 1e6, PROMPT, 0, new Restart(9, Double.POSITIVE_INFINITY)).table())
        .contains("never");
  }

  @Test
  void whatWasNotMeasuredDoesNotHold() {
    assertThat(report(0.5, 1e6, NEVER, 0, RESTART).held()).isFalse();
  }

  @Test
  void timesAreThoseOfAPhase() {
    Latencies latencies = new Latencies();
    latencies.record(2_000_000_000L);
    assertThat(latencies.next().longest()).isBetween(1.99, 2.01);
    assertThat(latencies.next().count()).isZero();
  }

  private static ControlPlaneReport report(
      double cores, double bytes, Latencies.Seconds answers, long lost, Restart restart) {
    Phase phase = new Phase(60, cores, bytes, answers, PROMPT);
    return new ControlPlaneReport(
        1_000,
        200,
        5_000,
        phase,
        phase,
        new Callers.Outcome(10, 20, 30, 40, 50, 0, PROMPT),
        lost,
        0,
        restart);
  }
}
