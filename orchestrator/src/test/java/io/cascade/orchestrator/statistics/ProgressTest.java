package io.cascade.orchestrator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.relay.ProcessTotals;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final ProcessTotals BEFORE = new ProcessTotals(100.0, 1.0, 4);

  @Test
  void theShareOfTheProcessorsIsOfAllThatTheProcessMayUse() {
    assertThat(Progress.processorShare(BEFORE, new ProcessTotals(102.0, 3.0, 4))).isEqualTo(0.25);
    assertThat(Progress.processorShare(BEFORE, new ProcessTotals(102.0, 99.0, 4))).isEqualTo(1);
  }

  @Test
  void aRelayThatDoesNotTellOrHasStartedAnewHasNoShareOfItsProcessors() {
    assertThat(Progress.processorShare(BEFORE, new ProcessTotals(2.0, 1.5, 4))).isNull();
    assertThat(Progress.processorShare(BEFORE, new ProcessTotals(102.0, null, 4))).isNull();
    assertThat(Progress.processorShare(BEFORE, new ProcessTotals(102.0, 0.5, 4))).isNull();
    assertThat(Progress.processorShare(null, BEFORE)).isNull();
  }
}
