package io.cascade.model.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the slowest of several uncertain rates is on average. */
class SlowestTest {

  @Test
  void twoEqualRatesAreOverestimatedByTheirScatterOverTheRootOfPi() {
    assertThat(overestimate(0.28, 5e6, 5e6))
        .isCloseTo(Math.exp(0.28 / Math.sqrt(Math.PI)), within(1e-6));
  }

  @Test
  void oneRateAndRatesThatAreKnownAreNotOverestimated() {
    assertThat(overestimate(0.28, 5e6)).isEqualTo(1);
    assertThat(overestimate(0, 5e6, 4e6, 4e6)).isEqualTo(1);
    assertThat(overestimate(0.28)).isEqualTo(1);
    assertThat(overestimate(0.28, 5e6, Double.POSITIVE_INFINITY)).isEqualTo(1);
  }

  @Test
  void aHopThatIsFarFasterDoesNotCount() {
    assertThat(overestimate(0.28, 1e6, 100e6)).isCloseTo(1, within(1e-6));
  }

  @Test
  void severalRatesAreAsDrawnOnes() {
    double[] rates = {10e6, 11e6, 12e6, 20e6};
    Random random = new Random(1);
    double sum = 0;
    int draws = 100_000;
    for (int i = 0; i < draws; i++) {
      double least = Double.POSITIVE_INFINITY;
      for (double rate : rates) {
        least = Math.min(least, Math.log(rate) + 0.3 * random.nextGaussian());
      }
      sum += least;
    }
    assertThat(overestimate(0.3, rates))
        .isCloseTo(Math.exp(Math.log(10e6) - sum / draws), within(0.01));
  }

  private static double overestimate(double deviation, double... rates) {
    Slowest slowest = new Slowest();
    for (double rate : rates) {
      slowest.add(rate, deviation);
    }
    return slowest.overestimate();
  }
}
