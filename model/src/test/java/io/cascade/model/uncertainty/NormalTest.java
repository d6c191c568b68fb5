package io.cascade.model.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalTest {
  @ParameterizedTest
  @CsvSource({"0, 0.5", "1, 0.8413447", "-1, 0.1586553", "1.959964, 0.975", "-3, 0.0013499"})
  void theProbabilityOfStayingBelow(double value, double probability) {
    assertThat(Normal.below(value)).isCloseTo(probability, within(1e-7));
  }

  @ParameterizedTest
  @CsvSource({"0.001", "0.2", "0.5", "0.975"})
  void theQuantileIsItsInverse(double probability) {
    assertThat(Normal.below(Normal.quantile(probability))).isCloseTo(probability, within(2e-4));
  }
}
