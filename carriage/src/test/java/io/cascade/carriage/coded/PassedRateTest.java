package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PassedRateTest {
  private static final long SECOND = 1_000_000_000;

  private final PassedRate rate = new PassedRate();

  @Test
  void isTheHighestMeanBetweenTwoLooks() {
    rate.note(0, 100, 0, 0);
    assertThat(rate.highest()).isZero();
    rate.note(SECOND, 8_100, 0.02, 0.02);
    assertThat(rate.highest()).isCloseTo(8_000, within(1e-6));
    rate.note(2 * SECOND, 8_200, 0.02, 0.02);
    assertThat(rate.highest()).isCloseTo(8_000, within(1e-6));
  }

  @Test
  void whatOverloadLosesDidNotPass() {
    rate.note(0, 0, 0, 0);
    rate.note(SECOND, 10_000, 0.5, 0);
    assertThat(rate.highest()).isCloseTo(5_000, within(1e-6));
  }
}
