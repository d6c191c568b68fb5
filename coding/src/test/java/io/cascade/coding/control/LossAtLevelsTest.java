package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.coding.loss.BaseLoss;
import org.junit.jupiter.api.Test;

class LossAtLevelsTest {
  private static final double CLEARLY = 1.15;

  private final LossAtLevels levels = new LossAtLevels();
  private final BaseLoss base = new BaseLoss();

  @Test
  void aLevelTeachesOnceTheQueueIsClearlyLonger() {
    levels.note(CLEARLY * 10e6, 2, 100);
    levels.exceeded(11e6, base);
    assertThat(base.packets()).isZero();
    levels.exceeded(12.5e6, base);
    assertThat(base.packets()).isEqualTo(100);
    assertThat(base.rate()).isEqualTo(0.02);
    levels.exceeded(20e6, base);
    assertThat(base.packets()).as("once").isEqualTo(100);
  }

  /** As beside one Reno flow, whose queue takes half a minute to become twice as long. */
  @Test
  void aQueueThatGrowsByLittleInARoundTeachesToo() {
    double queue = 30e6;
    for (int round = 0; round < 300; round++) {
      levels.exceeded(queue, base);
      levels.note(CLEARLY * queue, round % 5 == 0 ? 1 : 0, 20);
      queue *= 1.003;
    }
    assertThat(base.packets()).isGreaterThan(1_500);
    assertThat(base.rate()).isCloseTo(0.01, within(0.002));
  }

  /** A queue that overflows at the same length again and again. */
  @Test
  void whatIsLostWhereTheQueueIsLongestTeachesNothing() {
    for (int round = 0; round < 300; round++) {
      double queue = 20e6 + round % 30 * 1e6;
      levels.exceeded(queue, base);
      levels.note(CLEARLY * queue, round % 30 == 29 ? 10 : 0, 20);
    }
    assertThat(base.packets()).isPositive();
    assertThat(base.rate()).isZero();
  }
}
