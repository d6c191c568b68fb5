package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeLeftTest {
  private final ManualTime time = ManualTime.from(Instant.EPOCH);

  @Test
  void whatBeginsHasToBeOverInTime() {
    TimeLeft left = new TimeLeft(time.timekeeper(), Duration.ofSeconds(45));

    time.pass(Duration.ofSeconds(27));
    assertThat(left.get()).isEqualTo(Duration.ofSeconds(18));
    assertThat(left.isEnoughFor(Duration.ofSeconds(18))).isTrue();

    time.pass(Duration.ofMillis(1));
    assertThat(left.isEnoughFor(Duration.ofSeconds(18))).isFalse();
  }
}
