package io.cascade.studies.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void threeValuesHaveStudentsWideInterval() {
    Sample sample = new Sample(List.of(1.0, 2.0, 3.0));
    assertThat(sample.mean()).isEqualTo(2);
    assertThat(sample.median()).isEqualTo(2);
    assertThat(sample.standardDeviation()).isCloseTo(1, within(1e-12));
    assertThat(sample.halfWidth()).isCloseTo(4.302653 / Math.sqrt(3), within(1e-6));
  }

  @Test
  void oneValueHasNoInterval() {
    assertThat(new Sample(List.of(4.0)).halfWidth()).isNaN();
    assertThat(new Sample(List.of(4.0)).over(new Sample(List.of(2.0))).value()).isEqualTo(2);
    assertThat(new Sample(List.of(4.0)).over(new Sample(List.of(2.0))).low()).isNaN();
  }

  @Test
  void aRatiosIntervalHoldsTheRatioAndNarrowsWithRepetition() {
    Sample.Ratio few = new Sample(List.of(9.0, 11.0)).over(new Sample(List.of(4.0, 6.0)));
    Sample.Ratio many =
        new Sample(List.of(9.0, 11.0, 9.0, 11.0, 9.0, 11.0))
            .over(new Sample(List.of(4.0, 6.0, 4.0, 6.0, 4.0, 6.0)));
    assertThat(few.low()).isLessThan(2);
    assertThat(few.high()).isGreaterThan(2);
    assertThat(many.low()).isGreaterThan(few.low());
    assertThat(many.high()).isLessThan(few.high());
  }

  @Test
  void valuesThatDoNotVaryHaveAnExactRatio() {
    Sample.Ratio ratio = new Sample(List.of(6.0, 6.0)).over(new Sample(List.of(3.0, 3.0)));
    assertThat(ratio).isEqualTo(new Sample.Ratio(2, 2, 2));
  }

  @Test
  void quantilesLieBetweenTheNumbers() {
    List<Double> numbers = List.of(4.0, 1.0, 3.0, 2.0);
    assertThat(Sample.quantile(numbers, 0.5)).isEqualTo(2.5);
    assertThat(Sample.quantile(numbers, 0)).isEqualTo(1);
    assertThat(Sample.quantile(numbers, 1)).isEqualTo(4);
  }
}
