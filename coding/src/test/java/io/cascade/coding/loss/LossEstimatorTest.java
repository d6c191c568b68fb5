package io.cascade.coding.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LossEstimatorTest {
  @Test
  void learnsRateAndBursts() {
    LossEstimator estimator = new LossEstimator();
    for (int i = 0; i < 20_000; i++) {
      estimator.note(i % 30 < 3);
    }
    assertThat(estimator.lossRate()).isCloseTo(0.1, within(0.005));
    assertThat(estimator.burstPackets()).isCloseTo(3, within(0.1));
  }

  @Test
  void forgetsWhatWas() {
    LossEstimator estimator = new LossEstimator();
    for (int i = 0; i < 5_000; i++) {
      estimator.note(i % 2 == 0);
    }
    for (int i = 0; i < 10_000; i++) {
      estimator.note(false);
    }
    assertThat(estimator.lossRate()).isLessThan(0.01);
  }

  @Test
  void knowsNothingAtFirst() {
    LossEstimator estimator = new LossEstimator();
    assertThat(estimator.lossRate()).isZero();
    assertThat(estimator.burstPackets()).isEqualTo(1);
  }

  @Test
  void excessIsInStandardDeviations() {
    assertThat(LossTest.excess(20, 100, 0.1, 2_000, 1)).isCloseTo(3.2, within(0.05));
    assertThat(LossTest.excess(10, 100, 0.1, 2_000, 1)).isZero();
    assertThat(LossTest.excess(20, 100, 0.1, 2_000, 3)).isLessThan(LossTest.EXCESS);
  }

  /** Random loss at the base rate passes the test but about once in 700 rounds. */
  @Test
  void randomLossIsSeldomExcess() {
    SplittableRandom random = new SplittableRandom(3);
    int excesses = 0;
    for (int round = 0; round < 2_000; round++) {
      int lost = 0;
      for (int i = 0; i < 100; i++) {
        lost += random.nextDouble() < 0.1 ? 1 : 0;
      }
      excesses += LossTest.excess(lost, 100, 0.1, 2_000, 1) > LossTest.EXCESS ? 1 : 0;
    }
    assertThat(excesses).isLessThan(15);
  }

  @Test
  void baseLossRemembersTwoThousandPackets() {
    BaseLoss base = new BaseLoss();
    base.note(500, 1_000);
    base.note(0, 1_000_000);
    assertThat(base.rate()).isLessThan(0.001);
    assertThat(base.packets()).isEqualTo(2_000);
    base.replace(30, 300);
    assertThat(base.rate()).isEqualTo(0.1);
  }
}
