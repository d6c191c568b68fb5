package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import org.junit.jupiter.api.Test;

class ModelScatterTest {
  /** Reno's 0.1 % over 64 ms: about 7 Mbit/s by losses. */
  private static final Hop HOP = Hop.of(0.064, 0.001);

  @Test
  void lossesScatterARateAndACapacityFarBelowDoesNot() {
    assertThat(reno(HOP, 0)).isEqualTo(0.17);
    assertThat(reno(HOP.withCapacity(Rate.ofMegabits(100)), 0)).isEqualTo(0.17);
    assertThat(reno(HOP.withCapacity(Rate.ofMegabits(2)), 0)).isEqualTo(0.02);
  }

  @Test
  void aCapacityNearWhatLossesAllowScattersAsLossesDo() {
    assertThat(reno(HOP.withCapacity(Rate.ofMegabits(6)), 0)).isEqualTo(0.17);
  }

  @Test
  void nothingIsSaidOfARateWithoutABound() {
    assertThat(reno(Hop.of(0.064, 0), 0)).isZero();
  }

  /** What BBR gets of a link that others use was not measured by those who had it alone. */
  @Test
  void aChosenBbrScattersAsWidelyAsWhatLossesSet() {
    Hop hop = HOP.withCongestionControl(CongestionControl.BBR).withCapacity(Rate.ofMegabits(100));
    assertThat(ModelScatter.of(CongestionControl.BBR, hop, false, 0)).isEqualTo(0.02);
    assertThat(ModelScatter.of(CongestionControl.BBR, hop, true, 0)).isEqualTo(0.2);
  }

  @Test
  void outcomesTakeAwayTheLinksOwnHalf() {
    assertThat(ModelScatter.of(CongestionControl.CUBIC, cubic(), false, 3))
        .isEqualTo(0.158, within(1e-3));
    assertThat(ModelScatter.of(CongestionControl.CUBIC, cubic(), false, 1e9))
        .isEqualTo(0.2 / Math.sqrt(2), within(1e-6));
  }

  private static Hop cubic() {
    return HOP.withCongestionControl(CongestionControl.CUBIC);
  }

  private static double reno(Hop hop, double evidence) {
    return ModelScatter.of(CongestionControl.RENO, hop, false, evidence);
  }
}
