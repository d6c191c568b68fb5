package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.uncertainty.Interval;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sequential rule, among others on ratios drawn around a known truth. */
class PairedComparisonTest {
  private static final int DRAWS = 4_000;

  /** Three standard deviations of a share of 5 % among so many draws. */
  private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / DRAWS);

  private static final double MOST_WRONG = PairedComparison.ERROR + CHANCE;

  @Test
  void onePairDecidesNothing() {
    PairedComparison one = PairedComparison.NONE.and(1e9, 1e6);

    assertThat(one.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(one.isOver()).isFalse();
    assertThat(one.ratio().low()).isZero();
    assertThat(one.ratio().likely()).isCloseTo(1_000, within(1e-6));
    assertThat(one.ratio().high()).isInfinite();
  }

  @Test
  void aWorkedValue() {
    PairedComparison four = of(1.8, 2.2, 1.9, 2.1);

    assertThat(four.ratio().likely()).isCloseTo(1.99, within(0.005));
    assertThat(four.ratio().low()).isCloseTo(1.02, within(0.01));
    assertThat(four.ratio().high()).isCloseTo(3.9, within(0.05));
    assertThat(four.decision()).isEqualTo(Decision.CASCADE);
  }

  @Test
  void theOtherWayRoundIsTheOtherDecision() {
    PairedComparison there = of(1.8, 2.2, 1.9, 2.1);
    PairedComparison back = of(1 / 1.8, 1 / 2.2, 1 / 1.9, 1 / 2.1);

    assertThat(back.decision()).isEqualTo(Decision.DIRECT);
    assertThat(back.ratio().low()).isCloseTo(1 / there.ratio().high(), within(1e-9));
  }

  @Test
  void ratesThatAreNoneAreRefused() {
    assertThatThrownBy(() -> PairedComparison.NONE.and(0, 1)).hasMessageContaining("cascade: 0.0");
    assertThatThrownBy(() -> PairedComparison.NONE.and(1, 0)).hasMessageContaining("direct: 0.0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1, 0.2, 0.25, 0.3, 0.5})
  void ofEqualWaysNeitherIsOftenCalledFaster(double noise) {
    Shares shares = shares(1, noise);
    assertThat(shares.of(Decision.CASCADE)).isLessThanOrEqualTo(MOST_WRONG);
    assertThat(shares.of(Decision.DIRECT)).isLessThanOrEqualTo(MOST_WRONG);
  }

  @ParameterizedTest
  @CsvSource({"0.05, 0.99", "0.2, 0.8", "0.25, 0.55", "0.3, 0.25"})
  void equalWaysAreFoundToBe(double noise, double least) {
    assertThat(shares(1, noise).of(Decision.EQUAL)).isGreaterThan(least);
  }

  @ParameterizedTest
  @CsvSource({
    "1.25, 0.1",
    "1.25, 0.2",
    "1.25, 0.25",
    "1.25, 0.3",
    "1.5, 0.2",
    "1.5, 0.3",
    "3, 0.3"
  })
  void aFasterWayIsNotOftenMissed(double ratio, double noise) {
    Shares faster = shares(ratio, noise);
    assertThat(faster.of(Decision.EQUAL) + faster.of(Decision.DIRECT))
        .isLessThanOrEqualTo(MOST_WRONG);
    Shares slower = shares(1 / ratio, noise);
    assertThat(slower.of(Decision.EQUAL) + slower.of(Decision.CASCADE))
        .isLessThanOrEqualTo(MOST_WRONG);
  }

  @ParameterizedTest
  @CsvSource({"1.5, 0.2, 0.98", "1.5, 0.3, 0.9", "2, 0.3, 0.99"})
  void aFasterWayIsFound(double ratio, double noise, double least) {
    assertThat(shares(ratio, noise).of(Decision.CASCADE)).isGreaterThan(least);
    assertThat(shares(1 / ratio, noise).of(Decision.DIRECT)).isGreaterThan(least);
  }

  @Test
  void theGreaterTheDifferenceTheFewerPairs() {
    assertThat(meanPairs(4, 0.2)).isLessThan(6);
    assertThat(meanPairs(2, 0.2)).isLessThan(8);
    assertThat(meanPairs(1, 0.3)).isLessThanOrEqualTo(PairedComparison.MOST_PAIRS);
  }

  /** Whoever stopped at any moment would be told a wrong bound no more often than that. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3})
  void aBoundIsRarelyWrongAtAnyTime(double noise) {
    Random random = new Random(3);
    double truth = 1.3;
    int tooHigh = 0;
    int tooLow = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      PairedComparison seen = PairedComparison.NONE;
      boolean above = false;
      boolean below = false;
      for (int pair = 0; pair < PairedComparison.MOST_PAIRS; pair++) {
        seen = seen.and(drawn(random, truth, noise), 1);
        Interval ratio = seen.ratio();
        above |= ratio.low() > truth;
        below |= ratio.high() < truth;
      }
      tooHigh += above ? 1 : 0;
      tooLow += below ? 1 : 0;
    }
    assertThat((double) tooHigh / DRAWS).isLessThanOrEqualTo(MOST_WRONG);
    assertThat((double) tooLow / DRAWS).isLessThanOrEqualTo(MOST_WRONG);
  }

  /** How often which decision is made. */
  private record Shares(Map<Decision, Integer> counts) {
    double of(Decision decision) {
      return (double) counts.getOrDefault(decision, 0) / DRAWS;
    }
  }

  private static Shares shares(double truth, double noise) {
    Random random = new Random(1);
    Map<Decision, Integer> counts = new EnumMap<>(Decision.class);
    for (int draw = 0; draw < DRAWS; draw++) {
      counts.merge(run(random, truth, noise).decision(), 1, Integer::sum);
    }
    return new Shares(counts);
  }

  private static double meanPairs(double truth, double noise) {
    Random random = new Random(2);
    long pairs = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      pairs += run(random, truth, noise).pairs();
    }
    return (double) pairs / DRAWS;
  }

  private static PairedComparison run(Random random, double truth, double noise) {
    PairedComparison seen = PairedComparison.NONE;
    while (!seen.isOver()) {
      seen = seen.and(1e6 * drawn(random, truth, noise), 1e6);
    }
    assertThat(seen.pairs()).isBetween(2, PairedComparison.MOST_PAIRS);
    return seen;
  }

  private static double drawn(Random random, double truth, double noise) {
    return truth * Math.exp(noise * random.nextGaussian());
  }

  private static PairedComparison of(double... ratios) {
    PairedComparison seen = PairedComparison.NONE;
    for (double ratio : ratios) {
      seen = seen.and(ratio, 1);
    }
    return seen;
  }
}
