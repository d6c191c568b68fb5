package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a transfer's progress tells of its past. */
class ProgressTest {
  private final Progress progress = new Progress("plain TCP", 10_000_000);

  @Test
  void theRateIsThatOfTheLastFiveSeconds() {
    progress.arrived(4_000_000, 1);
    progress.arrived(5_000_000, 6);
    progress.arrived(6_000_000, 11);

    assertThat(progress.bitsPerSecond()).isEqualTo(8 * 1_000_000 / 5.0);
  }

  @Test
  void theRateAfterALongPauseIsThatOfThePause() {
    progress.arrived(1_000_000, 1);
    progress.arrived(2_000_000, 21);

    assertThat(progress.bitsPerSecond()).isEqualTo(8 * 1_000_000 / 20.0);
  }

  @Test
  void theChartHasAllThatArrivedBesideTheLinksCapacity() {
    Progress chosen = new Progress("cascade send", 10_000_000);
    progress.arrived(1_000_000, 10);
    progress.done(100);
    chosen.done(2);

    assertThat(EmulatedDemo.chart(10_000_000, 100e6, progress, chosen).lines())
        .satisfiesExactly(
            link -> assertThat(link.x()).isEqualTo(List.of(0.0, 0.8)),
            sent -> assertThat(sent.x()).isEqualTo(List.of(0.0, 2.0)),
            plain -> {
              assertThat(plain.x()).isEqualTo(List.of(0.0, 10.0, 100.0));
              assertThat(plain.y()).isEqualTo(List.of(0.0, 1.0, 10.0));
            });
  }
}
