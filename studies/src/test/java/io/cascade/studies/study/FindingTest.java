package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FindingTest {
  @ParameterizedTest
  @CsvSource({
    "1.1, 1.5, 1.9, ESTABLISHED",
    "1.0, 1.5, 2.0, ESTABLISHED",
    "0.9, 1.5, 1.9, CONSISTENT",
    "1.1, 1.5, 2.1, CONSISTENT",
    "NaN, 1.5, NaN, CONSISTENT",
    "0.5, 0.9, 1.0, OPEN",
    "1.9, 2.1, 2.5, OPEN",
    "NaN, 2.1, NaN, OPEN",
    "0.5, 0.9, 0.95, REFUTED",
    "2.05, 2.1, 2.5, REFUTED"
  })
  void theIntervalDecidesAndNotTheValueAlone(
      double low, double value, double high, Finding finding) {
    assertThat(Finding.ofClaim(low, value, high, 1, 2)).isEqualTo(finding);
  }
}
