package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeoutThroughputTest {

  private static final ThroughputModel MATHIS = MathisThroughput.RANDOM_LOSS;
  private static final ThroughputModel RENO = new TimeoutThroughput(MATHIS);

  /** Seconds, loss, measured Mbit/s: Linux's Reno over emulated paths. */
  @ParameterizedTest
  @CsvSource({
    "0.024, 0.02, 2.82",
    "0.024, 0.005, 7.48",
    "0.080, 0.02, 1.08",
    "0.120, 0.01, 1.02",
    "0.200, 0.02, 0.46",
    "0.064, 0.001, 6.83"
  })
  void isWithinAQuarterOfWhatLinuxWasMeasuredToDo(double rtt, double loss, double megabits) {
    assertThat(RENO.bitsPerSecond(PathConditions.uncapped(rtt, loss, 1448)) / 1e6)
        .isCloseTo(megabits, within(0.25 * megabits));
  }

  @Test
  void hasTheWorkedValue() {
    assertThat(MATHIS.bitsPerSecond(PathConditions.uncapped(0.024, 0.02, 1448)))
        .isCloseTo(4.47e6, within(0.01e6));
    assertThat(RENO.bitsPerSecond(PathConditions.uncapped(0.024, 0.02, 1448)))
        .isCloseTo(2.7e6, within(0.05e6));
  }

  @Test
  void timeoutsCostLittleWhereWindowsAreLarge() {
    PathConditions path = PathConditions.uncapped(0.1, 1e-6, 1448);
    assertThat(RENO.bitsPerSecond(path))
        .isCloseTo(MATHIS.bitsPerSecond(path), within(0.001 * MATHIS.bitsPerSecond(path)))
        .isLessThan(MATHIS.bitsPerSecond(path));
  }

  @Test
  void withoutLossThereAreNone() {
    assertThat(RENO.bitsPerSecond(PathConditions.uncapped(0.1, 0, 1448))).isInfinite();
  }

  @Test
  void whereEverythingIsLostNothingIsDelivered() {
    assertThat(RENO.bitsPerSecond(PathConditions.uncapped(0.1, 1, 1448))).isZero();
  }

  @Test
  void keepsWhatElseTheModelSays() {
    assertThat(RENO.basis()).isEqualTo("mathis, c=1.31, timeouts");
    assertThat(RENO.windowKeptAtLoss()).hasValue(0.5);
    assertThat(RENO.validUpToLoss()).isEqualTo(MATHIS.validUpToLoss());
  }
}
