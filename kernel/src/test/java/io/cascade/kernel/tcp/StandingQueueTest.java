package io.cascade.kernel.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandingQueueTest {
  @ParameterizedTest
  @CsvSource({
    "124999, 100000, false",
    "125000, 100000, true",
    "2999, 1000, false",
    "3000, 1000, true",
  })
  void aQuarterOfTheLeastRoundTripAndTwoMillisecondsAtLeastAreAQueue(
      double rttMicros, double minRttMicros, boolean stands) {
    assertThat(StandingQueue.stands(rttMicros, minRttMicros)).isEqualTo(stands);
  }
}
