package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long MILLI = 1_000_000;

  private final Pace pace = new Pace(0);

  @Test
  void nothingIsKnownBeforeTheFirstBlockHasArrived() {
    assertThat(pace.recentBitsPerSecond(1_000 * MILLI)).isZero();
    assertThat(pace.peakBitsPerSecond()).isZero();
    assertThat(pace.leastDelayNanos()).isZero();
  }

  @Test
  void theRateIsThatOfLate() {
    steadily(1_250, 0, 4_000); // 10 Mbit/s
    assertThat(pace.recentBitsPerSecond(4_000 * MILLI)).isCloseTo(10e6, within(1e6));
    steadily(125, 4_001, 6_000); // 1 Mbit/s
    assertThat(pace.recentBitsPerSecond(6_000 * MILLI)).isCloseTo(1e6, within(2e5));
    assertThat(pace.averageBitsPerSecond(6_000 * MILLI)).isCloseTo(7e6, within(1e5));
    assertThat(pace.bytes()).isEqualTo(4_001 * 1_250 + 2_000 * 125);
  }

  @Test
  void theRateOfAConnectionThatHasStoppedFallsToNothing() {
    steadily(1_250, 0, 4_000);

    assertThat(pace.recentBitsPerSecond(5_000 * MILLI)).isZero();
  }

  @Test
  void aPeakIsForgottenAfterTenSeconds() {
    steadily(1_250, 0, 1_000);
    steadily(125, 1_001, 8_000);
    assertThat(pace.peakBitsPerSecond()).isCloseTo(10e6, within(1e6));
    steadily(125, 8_001, 13_000);
    assertThat(pace.peakBitsPerSecond()).isCloseTo(1e6, within(2e5));
  }

  @Test
  void theShortestDelayCounts() {
    pace.arrived(1_000, 0, 80 * MILLI);
    pace.arrived(1_000, 60 * MILLI, 100 * MILLI);
    pace.arrived(1_000, 60 * MILLI, 190 * MILLI);

    assertThat(pace.leastDelayNanos()).isEqualTo(40 * MILLI);
  }

  /** So many bytes each millisecond. */
  private void steadily(int bytes, int fromMillis, int toMillis) {
    for (long at = fromMillis; at <= toMillis; at++) {
      pace.arrived(bytes, (at - 20) * MILLI, at * MILLI);
    }
  }
}
