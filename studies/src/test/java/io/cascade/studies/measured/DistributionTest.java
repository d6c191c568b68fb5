package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DistributionTest {
  @Test
  void ofAnEvenNumberOfValuesTheMedianIsTheMeanOfTheTwoInTheMiddle() {
    assertThat(Distribution.median(List.of(4.0, 1.0, Double.NaN, 3.0, 2.0), value -> value))
        .isEqualTo(2.5);
    assertThat(Distribution.median(List.of(Double.NaN), value -> value)).isNaN();
  }
}
