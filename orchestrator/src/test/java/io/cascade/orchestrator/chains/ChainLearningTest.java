package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.HopPrediction;
import org.junit.jupiter.api.Test;

/** What a stream's rate is compared with. */
class ChainLearningTest {
  @Test
  void aRateThatLossesSetIsTheModelsWithoutWhatWasLearned() {
    assertThat(ChainLearning.uncorrected(hop(4e6, 0.5, 12e6, CapacityKind.AT_LEAST)))
        .isEqualTo(8e6);
    assertThat(ChainLearning.uncorrected(hop(11e6, 1.0, 12e6, CapacityKind.KNOWN))).isEqualTo(11e6);
  }

  @Test
  void whatWasSeenOfALinkIsNoPredictionOfTheModel() {
    assertThat(ChainLearning.uncorrected(hop(11e6, 1.0, 12e6, CapacityKind.AT_LEAST))).isInfinite();
  }

  private static HopPrediction hop(
      double rate, double correction, double capacity, CapacityKind kind) {
    return HopPrediction.builder()
        .from("r1")
        .to("r2")
        .rttMillis(40.0)
        .probesSent(100L)
        .probesLost(1L)
        .lossRate(0.01)
        .capacityBitsPerSecond(capacity)
        .congestionControl("cubic")
        .bitsPerSecond(rate)
        .bottleneck(true)
        .basis("")
        .correction(correction)
        .capacityKind(kind)
        .build();
  }
}
