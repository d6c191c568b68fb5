package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodedThroughputTest {
  private static final CodedThroughput MODEL = new CodedThroughput();

  private static PathConditions path(double megabits, double rttSeconds, double loss) {
    return new PathConditions(rttSeconds, loss, 1448, megabits * 1e6);
  }

  @Test
  void theWorkedValue() {
    assertThat(MODEL.bitsPerSecond(path(100, 0.1, 0.05))).isCloseTo(92.1e6, within(0.1e6));
  }

  /** Payload over 0.957·C(1 − r) alone on a link, as simulated: docs/experiments/coded-hops.md. */
  @ParameterizedTest
  @CsvSource({
    "10, 0.05, 0.10, 0.961", "10, 0.05, 0.20, 0.942", "10, 0.05, 0.30, 0.920",
    "10, 0.10, 0.05, 0.982", "10, 0.10, 0.30, 0.942", "100, 0.05, 0.10, 0.981",
    "100, 0.05, 0.30, 0.966", "100, 0.10, 0.10, 0.986", "100, 0.10, 0.20, 0.980"
  })
  void isWithinFivePercentOfWhatWasSimulated(
      double megabits, double rttSeconds, double loss, double ofBest) {
    double packets = megabits * 1448 / 1500;
    double simulated = ofBest * 0.957e6 * megabits * (1 - loss);
    assertThat(MODEL.bitsPerSecond(path(packets, rttSeconds, loss)))
        .isCloseTo(simulated, within(0.05 * simulated));
  }

  @Test
  void aSessionsWindowBoundsItOverLongFatPaths() {
    double at200 = MODEL.bitsPerSecond(path(1_000, 0.2, 0));
    assertThat(at200).isCloseTo(90.9e6, within(0.5e6));
    assertThat(MODEL.bitsPerSecond(PathConditions.uncapped(0.2, 0, 1448))).isEqualTo(at200);
  }

  @Test
  void theProcessorBoundsItOverShortFatPaths() {
    assertThat(MODEL.bitsPerSecond(path(10_000, 0.002, 0))).isCloseTo(1e9, within(5e6));
  }

  @Test
  void littleGetsThroughWhereMostIsLost() {
    assertThat(MODEL.bitsPerSecond(path(100, 0.1, 0.6))).isZero();
    assertThat(MODEL.bitsPerSecond(path(100, 0.1, 1))).isZero();
    assertThat(MODEL.validUpToLoss()).isEqualTo(0.45);
  }
}
