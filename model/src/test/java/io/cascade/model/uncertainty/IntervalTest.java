package io.cascade.model.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalTest {

  @Test
  void ratioOfIndependentEstimatesHasTheWorkedValue() {
    Interval ratio = new Interval(8, 10, 12.5).dividedByIndependent(new Interval(4, 5, 6.25));
    assertThat(ratio.low()).isCloseTo(1.459, within(1e-3));
    assertThat(ratio.likely()).isEqualTo(2);
    assertThat(ratio.high()).isCloseTo(2.742, within(1e-3));
  }

  @Test
  void ratioOfExactValuesIsExact() {
    assertThat(Interval.exactly(6).dividedByIndependent(Interval.exactly(3)))
        .isEqualTo(Interval.exactly(2));
  }

  @Test
  void ratioIsNarrowerThanDividingExtremesAndContainsTheLikelyRatio() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      Interval one = any(random);
      Interval other = any(random);
      Interval ratio = one.dividedByIndependent(other);
      assertThat(ratio.low()).isGreaterThanOrEqualTo(one.low() / other.high() * (1 - 1e-12));
      assertThat(ratio.high()).isLessThanOrEqualTo(one.high() / other.low() * (1 + 1e-12));
      assertThat(ratio.likely()).isEqualTo(one.likely() / other.likely());
    }
  }

  @Test
  void ratioCopesWithZeroAndInfinity() {
    Interval open = new Interval(0, 1, Double.POSITIVE_INFINITY);
    assertThat(open.dividedByIndependent(open))
        .isEqualTo(new Interval(0, 1, Double.POSITIVE_INFINITY));
    Interval never = Interval.exactly(Double.POSITIVE_INFINITY);
    assertThat(never.dividedByIndependent(Interval.exactly(3)).likely()).isInfinite();
    assertThat(never.dividedByIndependent(never).likely()).isEqualTo(1);
    assertThat(Interval.exactly(3).dividedByIndependent(never)).isEqualTo(Interval.exactly(0));
  }

  @Test
  void reciprocalTurnsDurationsIntoRates() {
    assertThat(new Interval(1, 2, 4).reciprocal(8)).isEqualTo(new Interval(2, 4, 8));
  }

  @Test
  void refusesDisorder() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Interval(2, 1, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new Interval(1, Double.NaN, 3));
  }

  private static Interval any(Random random) {
    double likely = 0.1 + random.nextDouble();
    return new Interval(
        likely / (1 + random.nextDouble()), likely, likely * (1 + random.nextDouble()));
  }

  @Test
  void aFurtherErrorIsAddedAsAnIndependentOne() {
    Interval scattered = new Interval(8, 10, 12.5).scattered(Math.log(1.25));
    assertThat(scattered.low()).isEqualTo(7.29, within(5e-3));
    assertThat(scattered.high()).isEqualTo(13.71, within(5e-3));
    assertThat(new Interval(0, 1, Double.POSITIVE_INFINITY).scattered(1))
        .isEqualTo(new Interval(0, 1, Double.POSITIVE_INFINITY));
    assertThat(Interval.exactly(Double.POSITIVE_INFINITY).scattered(1).likely()).isInfinite();
  }

  @Test
  void quantilesOfTheNormalDistribution() {
    assertThat(Normal.quantile(0.975)).isEqualTo(1.96, within(1e-3));
    assertThat(Normal.quantile(0.05)).isEqualTo(-1.645, within(1e-3));
    assertThat(Normal.quantile(0.5)).isEqualTo(0, within(1e-3));
  }
}
