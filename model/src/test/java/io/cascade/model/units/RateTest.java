package io.cascade.model.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0.00 bit/s",
    "512000, 512 kbit/s",
    "2100000, 2.10 Mbit/s",
    "32000000, 32.0 Mbit/s",
    "1540000000, 1.54 Gbit/s",
    "Infinity, unlimited"
  })
  void readsInTheLargestFittingUnit(double bitsPerSecond, String words) {
    assertThat(new Rate(bitsPerSecond)).hasToString(words);
  }

  @Test
  void ordersBySpeed() {
    assertThat(Rate.ofMegabits(1)).isLessThan(Rate.ofMegabits(2));
  }

  @Test
  void refusesNegativeRatesByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rate(-1))
        .withMessage("bitsPerSecond: -1.0 (expected: >= 0)");
    assertThatIllegalArgumentException().isThrownBy(() -> new Rate(Double.NaN));
  }
}
