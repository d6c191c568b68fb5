package io.cascade.model.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {
  /** From the usual tables. */
  @ParameterizedTest
  @CsvSource({
    "0.025, 1, 12.706",
    "0.0005, 1, 636.619",
    "0.05, 3, 2.353",
    "0.0005, 3, 12.924",
    "0.025, 11, 2.201",
    "0.1, 7, 1.415",
    "0.5, 4, 0"
  })
  void whatIsRarelyExceeded(double tail, int degrees, double value) {
    assertThat(StudentT.exceededWith(tail, degrees))
        .isCloseTo(value, within(5e-4 * Math.max(1, value)));
  }

  /** With one degree of freedom it is the Cauchy distribution: cot(π·tail). */
  @ParameterizedTest
  @CsvSource({"0.2", "0.001", "0.000001"})
  void farOut(double tail) {
    double cauchy = 1 / Math.tan(Math.PI * tail);
    assertThat(StudentT.exceededWith(tail, 1)).isCloseTo(cauchy, within(1e-6 * cauchy));
  }

  @Test
  void whatIsNoTailIsRefused() {
    assertThatThrownBy(() -> StudentT.exceededWith(0, 3)).hasMessageContaining("tail: 0.0");
    assertThatThrownBy(() -> StudentT.exceededWith(0.6, 3)).hasMessageContaining("tail: 0.6");
    assertThatThrownBy(() -> StudentT.exceededWith(0.1, 0)).hasMessageContaining("degrees: 0");
  }
}
