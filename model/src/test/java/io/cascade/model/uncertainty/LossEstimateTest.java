package io.cascade.model.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LossEstimateTest {

  /** Values from summing the binomial distribution and bisecting, in another language. */
  @ParameterizedTest
  @CsvSource({
    "3, 1000, 0.000818175398, 0.007735244718",
    "1, 10, 0.005116196892, 0.394163302437",
    "0, 1000, 0, 0.002991249545",
    "10, 10000, 0.000542637575, 0.001695631454",
    "5, 5, 0.549280271653, 1",
    "30, 100, 0.224923224371, 0.384220612794",
    "99, 100, 0.953440188546, 0.999487198584"
  })
  void hasClopperAndPearsonsBounds(long lost, long sent, double lower, double upper) {
    LossEstimate estimate = new LossEstimate(lost, sent);
    assertThat(estimate.lower()).isCloseTo(lower, within(1e-9));
    assertThat(estimate.upper()).isCloseTo(upper, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1000, 10_000, 1_000_000})
  void withoutLossesTheUpperBoundIsThreeOverN(long sent) {
    double upper = new LossEstimate(0, sent).upper();
    assertThat(upper).isPositive().isCloseTo(3.0 / sent, within(0.02 * 3 / sent));
  }

  @Test
  void anExchangeLosesAPacketInEitherDirection() {
    assertThat(LossEstimate.ofExchanges(1, 50)).isEqualTo(new LossEstimate(1, 100));
    assertThat(LossEstimate.ofExchanges(25, 50)).isEqualTo(new LossEstimate(29, 100));
    assertThat(LossEstimate.ofExchanges(0, 50)).isEqualTo(new LossEstimate(0, 100));
    assertThat(LossEstimate.ofExchanges(50, 50)).isEqualTo(new LossEstimate(100, 100));
    assertThat(LossEstimate.ofExchanges(24, 1_000).likely())
        .as("1.2 % each way fail 2.4 % of attempts")
        .isBetween(0.0119, 0.0125);
  }

  @Test
  void withoutLossesTheLikelyValueIsHalfALoss() {
    assertThat(new LossEstimate(0, 1000).likely()).isCloseTo(0.0005, within(1e-6));
    assertThat(new LossEstimate(3, 1000).likely()).isCloseTo(0.0035, within(1e-5));
  }

  @Test
  void theLikelyValueLiesBetweenTheBounds() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      long sent = 1L + random.nextInt(2000);
      LossEstimate estimate = new LossEstimate(random.nextLong(sent + 1), sent);
      assertThat(estimate.likely()).isBetween(estimate.lower(), estimate.upper());
    }
  }

  @Test
  void morePacketsAtTheSameShareNarrowTheBounds() {
    LossEstimate few = new LossEstimate(3, 1000);
    LossEstimate many = few.repeated(100);
    assertThat(many.lower()).isGreaterThan(few.lower());
    assertThat(many.upper()).isLessThan(few.upper());
  }

  @Test
  void moreConfidenceWidensTheBounds() {
    LossEstimate estimate = new LossEstimate(3, 1000);
    assertThat(estimate.upper(0.99)).isGreaterThan(estimate.upper(0.95));
    assertThat(estimate.lower(0.99)).isLessThan(estimate.lower(0.95));
  }

  @Test
  void copesWithMillionsOfPackets() {
    LossEstimate estimate = new LossEstimate(100_000, 100_000_000);
    assertThat(estimate.lower()).isCloseTo(0.001 - 1.645 * 3.16e-6, within(1e-7));
    assertThat(estimate.upper()).isCloseTo(0.001 + 1.645 * 3.16e-6, within(1e-7));
  }

  /**
   * The promise of the method: each bound fails in at most one of twenty samples, whatever the
   * truth.
   */
  @ParameterizedTest
  @CsvSource({"0.001, 1000", "0.01, 300", "0.2, 50"})
  void boundsHoldInNineteenOfTwentySamples(double truth, int sent) {
    Random random = new Random(2);
    int samples = 2000;
    int tooLow = 0;
    int tooHigh = 0;
    for (int i = 0; i < samples; i++) {
      int lost = 0;
      for (int packet = 0; packet < sent; packet++) {
        lost += random.nextDouble() < truth ? 1 : 0;
      }
      LossEstimate estimate = new LossEstimate(lost, sent);
      tooLow += estimate.upper() < truth ? 1 : 0;
      tooHigh += estimate.lower() > truth ? 1 : 0;
    }
    assertThat(tooLow).isLessThan((int) (0.06 * samples));
    assertThat(tooHigh).isLessThan((int) (0.06 * samples));
  }

  @Test
  void refusesImpossibleCounts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LossEstimate(0, 0))
        .withMessage("sent: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LossEstimate(11, 10))
        .withMessage("lost: 11 (expected: 0..10)");
    assertThatIllegalArgumentException().isThrownBy(() -> new LossEstimate(-1, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> new LossEstimate(1, 10).upper(1));
  }
}
