package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BoundTest {
  @Test
  void whatFitsIntoTheFirstWindowTakesARoundTripAndItsTimeAtTheBottleneck() {
    assertThat(Bound.seconds(12_500, 100e6, 0.1)).isCloseTo(0.1 + 0.001, within(1e-9));
  }

  @Test
  void eachWindowThatDoesNotFillTheRoundTripCostsAWholeOne() {
    // 8 Mbit/s and 100 ms are 100,000 bytes: windows of 14,480, 28,960 and 57,920 do not fill them.
    double ramp = 14_480 + 28_960 + 57_920;

    assertThat(Bound.seconds(1_000_000, 8e6, 0.1))
        .isCloseTo(0.1 + 3 * 0.1 + (1_000_000 - ramp) / 1e6, within(1e-9));
  }

  @Test
  void aFileThatEndsWithinTheRampDoesNotWaitForItsRest() {
    assertThat(Bound.seconds(20_000, 8e6, 0.1))
        .isCloseTo(0.1 + 0.1 + (20_000 - 14_480) / 1e6, within(1e-9));
  }

  @Test
  void headersAndLossesTakeTheirShareOfTheBottleneck() {
    RivalPath demo = RivalPath.demo(20_000_000);

    assertThat(Bound.bitsPerSecond(demo))
        .isCloseTo(100e6 * 0.998 * 0.998 * 0.999 * 1_448 / 1_500, within(1.0));
    assertThat(Bound.seconds(demo)).isCloseTo(2.80, within(0.005));
  }
}
