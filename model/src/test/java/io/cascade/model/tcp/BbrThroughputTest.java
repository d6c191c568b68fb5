package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BbrThroughputTest {

  private static PathConditions path(double loss) {
    return new PathConditions(0.1, loss, 1448, 100e6);
  }

  @Test
  void version1HardlyNoticesLossUpTo15Percent() {
    assertThat(BbrThroughput.V1.bitsPerSecond(path(0.01))).isCloseTo(97.02e6, within(1e3));
    assertThat(BbrThroughput.V1.bitsPerSecond(path(0.15))).isCloseTo(83.3e6, within(1e3));
  }

  @Test
  void version1DeliversNothingFrom20Percent() {
    assertThat(BbrThroughput.V1.bitsPerSecond(path(0.2))).isZero();
    assertThat(BbrThroughput.V1.bitsPerSecond(PathConditions.uncapped(0.1, 0.3, 1448))).isZero();
  }

  @Test
  void version3FallsBackToALossBasedRateBeyondItsThreshold() {
    assertThat(BbrThroughput.V3.bitsPerSecond(path(0.01))).isCloseTo(97.02e6, within(1e3));
    assertThat(BbrThroughput.V3.bitsPerSecond(path(0.03)))
        .isEqualTo(new CubicThroughput().bitsPerSecond(path(0.03)));
  }

  @Test
  void saysThatItIsAHeuristic() {
    assertThat(BbrThroughput.V1.basis()).isEqualTo("bbr v1, heuristic");
  }

  @Test
  void refusesThresholdsInTheWrongOrder() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BbrThroughput("v9", 0.2, 0.1, false))
        .withMessage("nothingFromLoss: 0.1 (expected: > 0.2)");
  }
}
