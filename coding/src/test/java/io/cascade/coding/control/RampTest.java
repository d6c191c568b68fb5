package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.coding.control.Ramp.Tested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RampTest {
  private static final double ROUND_TRIP = 100e6;
  private final Ramp ramp = new Ramp();

  @Test
  void growsByAnEighthUntilItsGoal() {
    ramp.begin(120);

    assertThat(ramp.grown(100)).isEqualTo(112.5);
    assertThat(ramp.isRunning()).isTrue();
    assertThat(ramp.grown(112.5)).isEqualTo(120);
    assertThat(ramp.isRunning()).isFalse();
  }

  @Test
  void aGoalThatIsReachedTakesNothingAway() {
    ramp.begin(50);

    assertThat(ramp.grown(100)).isEqualTo(100);
    assertThat(ramp.isRunning()).isFalse();
  }

  /** A window that doubles makes the path fuller by what its share was. */
  @ParameterizedTest
  @CsvSource({"0.1, SHARE_IS_SMALL", "0.5, SHARE_IS_NOT_SMALL"})
  void aTestTellsASmallShareFromALargeOne(double share, Tested expected) {
    ramp.beginTest(1_000, 100, ROUND_TRIP, 0.3);
    double window = 100;
    while (ramp.goesOn()) {
      window = ramp.testGrown(window);
    }

    assertThat(window).isCloseTo(100 * 1.25 * 1.25, within(0.001));
    double roundTrip = ROUND_TRIP * (1 + share * (window / 100 - 1));
    assertThat(ramp.result(window, roundTrip)).isEqualTo(expected);
    assertThat(ramp.isTesting()).isFalse();
  }

  @Test
  void aWindowThatHasNotGrownTellsNothing() {
    ramp.beginTest(1_000, 100, ROUND_TRIP, 0.3);

    assertThat(ramp.result(110, 1.5 * ROUND_TRIP)).isEqualTo(Tested.NOTHING);
  }
}
