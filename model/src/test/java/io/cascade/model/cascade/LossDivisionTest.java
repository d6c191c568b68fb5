package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LossDivisionTest {

  @Test
  void dividedLossComposesToThePathsAgain() {
    double perHop = LossDivision.DIVIDED.perHop(0.05, 4);
    assertThat(1 - Math.pow(1 - perHop, 4)).isCloseTo(0.05, within(1e-12));
  }

  @Test
  void smallLossDividesEvenly() {
    assertThat(LossDivision.DIVIDED.perHop(0.001, 2)).isCloseTo(0.0005, within(1e-6));
  }

  @Test
  void unchangedLossStays() {
    assertThat(LossDivision.UNCHANGED.perHop(0.05, 4)).isEqualTo(0.05);
  }
}
