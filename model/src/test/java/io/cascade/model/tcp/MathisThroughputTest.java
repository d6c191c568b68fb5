package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MathisThroughputTest {

  private static final PathConditions PAPER = PathConditions.uncapped(0.064, 0.001, 1448);

  /** Mathis et al. 1997, Table 1: 1.22 and 0.87 for periodic loss. */
  @Test
  void periodicLossHasTheDerivedConstants() {
    assertThat(MathisThroughput.periodicLoss(1).constant()).isCloseTo(1.2247, within(1e-4));
    assertThat(MathisThroughput.periodicLoss(2).constant()).isCloseTo(0.8660, within(1e-4));
  }

  /** "Cascaded TCP", section VI: 32 Mbit/s, 64 ms, 0.1 %: a direct connection uses about 22 %. */
  @Test
  void uses22PercentOf32MegabitsAt64MillisecondsAndOnePerMille() {
    double rate = MathisThroughput.periodicLoss(1).bitsPerSecond(PAPER);
    assertThat(rate).isCloseTo(7.01e6, within(0.01e6));
    assertThat(rate / 32e6).isCloseTo(0.22, within(0.002));
  }

  /** Mathis et al. 1997, Table 1: 1.31 and 0.93 for random loss. */
  @Test
  void randomLossHasTheSimulatedConstants() {
    assertThat(MathisThroughput.RANDOM_LOSS.constant()).isEqualTo(1.31);
    assertThat(MathisThroughput.RANDOM_LOSS_DELAYED_ACKS.constant()).isEqualTo(0.93);
  }

  @Test
  void takesAConstantOfOnesOwn() {
    double one = new MathisThroughput(1).bitsPerSecond(PAPER);
    assertThat(new MathisThroughput(0.5).bitsPerSecond(PAPER)).isEqualTo(one / 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MathisThroughput(0))
        .withMessage("constant: 0.0 (expected: > 0 and finite)");
  }

  @Test
  void setsNoLimitWithoutLoss() {
    assertThat(MathisThroughput.RANDOM_LOSS.bitsPerSecond(PathConditions.uncapped(0.064, 0, 1448)))
        .isInfinite();
  }

  @Test
  void namesItsConstant() {
    assertThat(MathisThroughput.RANDOM_LOSS.basis()).isEqualTo("mathis, c=1.31");
  }

  @Test
  void refusesAcknowledgementsOfThreePackets() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MathisThroughput.periodicLoss(3))
        .withMessage("packetsPerAck: 3 (expected: 1 or 2)");
  }
}
