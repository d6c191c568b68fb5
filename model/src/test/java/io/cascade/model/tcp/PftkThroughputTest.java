package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PftkThroughputTest {

  private static final double RTT = 0.2;

  /** The setting of Padhye et al., ToN 2000, section V: b = 2, T₀ = 2 s, a window of 12. */
  private static final PftkThroughput PAPER =
      PftkThroughput.LINUX.withPacketsPerAck(2).withRetransmissionTimeout(2).withWindow(12);

  @Test
  void losesLittleOfWhatItSendsAtLowLossAndMuchAtHighLoss() {
    double fewLost = 0.001;
    double manyLost = 0.2;
    assertThat(
            PAPER.deliveredPacketsPerSecond(RTT, fewLost)
                / PAPER.sendPacketsPerSecond(RTT, fewLost))
        .isBetween(0.98, 1.0);
    assertThat(
            PAPER.deliveredPacketsPerSecond(RTT, manyLost)
                / PAPER.sendPacketsPerSecond(RTT, manyLost))
        .isBetween(0.6, 0.8);
  }

  @Test
  void hasTheWorkedValues() {
    assertThat(PAPER.sendPacketsPerSecond(RTT, 0.02)).isCloseTo(20.87, within(0.005));
    assertThat(PAPER.deliveredPacketsPerSecond(RTT, 0.02)).isCloseTo(19.30, within(0.005));
    assertThat(PAPER.approximatePacketsPerSecond(RTT, 0.02)).isCloseTo(21.03, within(0.005));
  }

  @Test
  void approachesMathisWhereTimeoutsAndWindowDoNotMatter() {
    PathConditions path = PathConditions.uncapped(0.064, 1e-7, 1448);
    PftkThroughput quick = PftkThroughput.LINUX.withRetransmissionTimeout(0.001);
    double mathis = MathisThroughput.periodicLoss(1).bitsPerSecond(path);
    assertThat(quick.bitsPerSecond(path)).isCloseTo(mathis, within(0.01 * mathis));
  }

  @Test
  void isAWindowPerRoundTripWithoutLoss() {
    assertThat(PAPER.deliveredPacketsPerSecond(RTT, 0)).isEqualTo(60);
    assertThat(PAPER.sendPacketsPerSecond(RTT, 0)).isEqualTo(60);
    assertThat(PAPER.approximatePacketsPerSecond(RTT, 0)).isEqualTo(60);
    assertThat(PAPER.deliveredPacketsPerSecond(RTT, 1e-12)).isCloseTo(60, within(1e-6));
    assertThat(PftkThroughput.LINUX.deliveredPacketsPerSecond(RTT, 0)).isInfinite();
  }

  @Test
  void deliversNothingWhereEverythingIsLost() {
    assertThat(PAPER.deliveredPacketsPerSecond(RTT, 1)).isZero();
    assertThat(PAPER.sendPacketsPerSecond(RTT, 1)).isZero();
    assertThat(PAPER.deliveredPacketsPerSecond(RTT, 1 - 1e-12)).isCloseTo(0, within(1e-9));
  }

  @Test
  void theBranchesMeetWithDelayedAcknowledgements() {
    double border = lossAtWindow(PAPER);
    double free = PAPER.deliveredPacketsPerSecond(RTT, border * (1 + 1e-9));
    double limited = PAPER.deliveredPacketsPerSecond(RTT, border * (1 - 1e-9));
    assertThat(PAPER.isWindowLimited(border * (1 - 1e-9))).isTrue();
    assertThat(PAPER.isWindowLimited(border * (1 + 1e-9))).isFalse();
    assertThat(free).isCloseTo(limited, within(1e-6));
  }

  @Test
  void theBranchesLieAQuarterRoundTripApartWithoutThem() {
    PftkThroughput everyPacket = PAPER.withPacketsPerAck(1);
    double border = lossAtWindow(everyPacket);
    double free = everyPacket.deliveredPacketsPerSecond(RTT, border * (1 + 1e-9));
    double limited = everyPacket.deliveredPacketsPerSecond(RTT, border * (1 - 1e-9));
    double packets = (1 - border) / border + 6 + PftkThroughput.timeoutProbability(border, 12);
    assertThat(packets / limited - packets / free).isCloseTo(RTT / 4, within(1e-6));
    assertThat(free / limited - 1).isBetween(0.0, 1 / (2 * 12 + 4.0));
  }

  @ParameterizedTest
  @CsvSource({"0.01, 1", "0.01, 3", "0.5, 2"})
  void upToThreePacketsOnlyATimeoutFindsALoss(double loss, double window) {
    assertThat(PftkThroughput.timeoutProbability(loss, window)).isEqualTo(1);
  }

  @Test
  void rareLossTimesOutThreeTimesInAWindow() {
    assertThat(PftkThroughput.timeoutProbability(1e-9, 30)).isCloseTo(0.1, within(1e-6));
    assertThat(PftkThroughput.timeoutProbability(0, 30)).isEqualTo(0.1);
  }

  @Test
  void waitsAsLinuxDoesUnlessTold() {
    assertThat(PftkThroughput.LINUX.timeoutSeconds(0.064)).isCloseTo(0.264, within(1e-12));
    assertThat(PftkThroughput.linuxTimeoutSeconds(0.064, 0.1)).isCloseTo(0.464, within(1e-12));
    assertThat(PAPER.timeoutSeconds(0.064)).isEqualTo(2);
  }

  @Test
  void namesItsParameters() {
    assertThat(PftkThroughput.LINUX.basis()).isEqualTo("pftk, b=1");
    assertThat(PAPER.basis()).isEqualTo("pftk, b=2, rto 2000 ms");
  }

  @Test
  void refusesParametersOutsideTheirDomainByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAPER.withPacketsPerAck(3))
        .withMessage("packetsPerAck: 3 (expected: 1 or 2)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAPER.withRetransmissionTimeout(0))
        .withMessage("retransmissionTimeoutSeconds: 0.0 (expected: > 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAPER.withWindow(0.5))
        .withMessage("windowPackets: 0.5 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAPER.sendPacketsPerSecond(0, 0.1))
        .withMessage("rttSeconds: 0.0 (expected: > 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAPER.approximatePacketsPerSecond(0.1, -0.1))
        .withMessage("lossProbability: -0.1 (expected: 0..1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PftkThroughput.linuxTimeoutSeconds(0.1, -1))
        .withMessage("rttDeviationSeconds: -1.0 (expected: >= 0 and finite)");
  }

  private static double lossAtWindow(PftkThroughput model) {
    double low = 1e-6;
    double high = 0.5;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (model.isWindowLimited(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
