package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Link;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code links} says of a loss. */
class LinkTextTest {

  @Test
  void aLossThatWasCountedIsTheEstimate() {
    assertThat(LinkText.loss(link(0.001, 0.0012, 0.0015))).isEqualTo("0.12 %");
  }

  @Test
  void whereNothingWasLostThereIsABoundAndNoEstimate() {
    assertThat(LinkText.loss(link(0.0, 0.0081, 0.0587))).isEqualTo("none seen, below 5.87 %");
  }

  @Test
  void whatWasNotMeasuredIsUnknown() {
    assertThat(LinkText.loss(link(null, null, null))).isEqualTo("unknown");
  }

  private static Link link(@Nullable Double low, @Nullable Double likely, @Nullable Double high) {
    return Link.builder()
        .from("a")
        .to("b")
        .minRttMillis(1.0)
        .smoothedRttMillis(1.0)
        .jitterMillis(0.1)
        .probesSent(61L)
        .probesLost(0L)
        .lossRateLow(low)
        .lossRateHigh(high)
        .updatedAt(Instant.EPOCH)
        .stale(false)
        .lossRate(likely)
        .build();
  }
}
