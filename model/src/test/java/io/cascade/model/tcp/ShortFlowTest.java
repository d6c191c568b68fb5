package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortFlowTest {

  private static final double RTT = 0.1;
  private static final int MSS = 1448;

  private static PathConditions path(double loss) {
    return PathConditions.uncapped(RTT, loss, MSS);
  }

  @Test
  void hasTheWorkedValues() {
    ShortFlow.Phases phases = ShortFlow.LINUX.transfer(path(0.001), 1000);
    assertThat(phases.slowStartPackets()).isCloseTo(632.3, within(0.1));
    assertThat(phases.slowStartSeconds()).isCloseTo(0.601, within(0.001));
    assertThat(phases.repairSeconds()).isCloseTo(0.064, within(0.001));
    assertThat(phases.steadySeconds()).isCloseTo(0.986, within(0.001));
  }

  /** Rounds of 10, 20, 40 … packets. */
  @ParameterizedTest
  @CsvSource({"10, 1", "30, 2", "70, 3", "10230, 10"})
  void withoutLossIsSlowStartInRounds(long packets, int rounds) {
    ShortFlow.Phases phases = ShortFlow.LINUX.transfer(path(0), packets);
    assertThat(phases.slowStartPackets()).isEqualTo((double) packets);
    assertThat(phases.totalSeconds()).isCloseTo(rounds * RTT, within(1e-9));
  }

  @Test
  void withoutLossALimitedWindowIsReachedAndThenKept() {
    ShortFlow windowed = ShortFlow.of(PftkThroughput.LINUX.withWindow(40));
    assertThat(windowed.transfer(path(0), 70).totalSeconds()).isCloseTo(3 * RTT, within(1e-9));
    assertThat(windowed.transfer(path(0), 70 + 40 * 50).totalSeconds())
        .isCloseTo(53 * RTT, within(1e-9));
  }

  @Test
  void capacityLimitsTheWindowAsAReceiverDoes() {
    PathConditions capped = new PathConditions(RTT, 0, MSS, 40 * 8 * MSS / RTT);
    assertThat(ShortFlow.LINUX.transfer(capped, 70 + 40 * 50).totalSeconds())
        .isCloseTo(53 * RTT, within(1e-9));
  }

  @Test
  void delayedAcknowledgementsGrowTheWindowByHalf() {
    ShortFlow delayed = ShortFlow.of(PftkThroughput.LINUX.withPacketsPerAck(2));
    assertThat(delayed.transfer(path(0), 10 + 15).totalSeconds()).isCloseTo(2 * RTT, within(1e-9));
  }

  @Test
  void longFlowsGoAtTheSteadyRate() {
    long packets = 100_000_000;
    double steady = PftkThroughput.LINUX.deliveredPacketsPerSecond(RTT, 0.001);
    double seconds = ShortFlow.LINUX.transfer(path(0.001), packets).totalSeconds();
    assertThat(packets / seconds).isCloseTo(steady, within(1e-4 * steady));
  }

  @Test
  void theSteadyStateMayBeAnothers() {
    CubicThroughput cubic = new CubicThroughput();
    long packets = 100_000_000;
    double seconds =
        ShortFlow.LINUX.withSteadyState(cubic).transfer(path(1e-4), packets).totalSeconds();
    double rate = cubic.bitsPerSecond(path(1e-4));
    assertThat(8.0 * MSS * packets / seconds).isCloseTo(rate, within(1e-3 * rate));
  }

  @Test
  void neverExpectsMorePacketsInSlowStartThanThereAre() {
    for (double loss = 1e-12; loss < 1; loss *= 3) {
      for (long packets = 1; packets < 1e9; packets *= 7) {
        assertThat(ShortFlow.slowStartPackets(packets, loss)).isBetween(1.0, (double) packets);
      }
    }
  }

  /** The first lost packet is drawn. */
  @ParameterizedTest
  @CsvSource({"20, 0.01", "200, 0.01", "1000, 0.001", "100, 0.1"})
  void expectsWhatDrawnLossesShow(int packets, double loss) {
    Random random = new Random(7);
    int flows = 40_000;
    double sent = 0;
    for (int i = 0; i < flows; i++) {
      sent += untilLoss(random, packets, loss);
    }
    double expected = ShortFlow.slowStartPackets(packets, loss);
    assertThat(sent / flows).isCloseTo(expected, within(0.02 * expected));
  }

  /**
   * Rounds of slow start with drawn losses, then the same repair and steady rate: the formula takes
   * the logarithm of a mean where the mean of logarithms is meant and cuts rounds, both together
   * worth less than a round and a half.
   */
  @ParameterizedTest
  @CsvSource({"50, 0.01", "300, 0.01", "1000, 0.001", "5000, 0.001", "20000, 0.0001"})
  void comesWithinARoundAndAHalfOfDrawnFlows(int packets, double loss) {
    Random random = new Random(11);
    int flows = 20_000;
    double steady = PftkThroughput.LINUX.deliveredPacketsPerSecond(RTT, loss);
    double total = 0;
    for (int i = 0; i < flows; i++) {
      int sent = untilLoss(random, packets, loss);
      int window = 10;
      int acknowledged = 0;
      double seconds = 0;
      while (acknowledged < sent) {
        acknowledged += window;
        seconds += RTT;
        window *= 2;
      }
      total += seconds + (packets - sent) / steady + (sent < packets ? RTT : 0);
    }
    ShortFlow.Phases phases = ShortFlow.LINUX.transfer(path(loss), packets);
    assertThat(phases.totalSeconds()).isCloseTo(total / flows, within(1.5 * RTT));
  }

  @Test
  void neverArrivesWhereEverythingIsLost() {
    assertThat(ShortFlow.LINUX.transfer(path(1), 10).totalSeconds()).isInfinite();
  }

  @Test
  void handshakesTakeLongerWhereTheyAreLost() {
    assertThat(ShortFlow.handshakeSeconds(RTT, 1, 0, 0)).isEqualTo(RTT);
    assertThat(ShortFlow.handshakeSeconds(RTT, 1, 0.01, 0.01)).isCloseTo(0.1204, within(1e-4));
    assertThat(ShortFlow.handshakeSeconds(RTT, 1, 0.25, 0)).isCloseTo(0.6, within(1e-12));
  }

  @Test
  void refusesValuesOutsideTheirDomainByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShortFlow.LINUX.transfer(path(0), 0))
        .withMessage("packets: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShortFlow.LINUX.withInitialWindow(0))
        .withMessage("initialWindow: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShortFlow.handshakeSeconds(RTT, 1, 0.5, 0))
        .withMessage("forwardLoss: 0.5 (expected: 0 or more and below 0.5)");
  }

  private static int untilLoss(Random random, int packets, double loss) {
    double firstLost = Math.ceil(Math.log(1 - random.nextDouble()) / Math.log(1 - loss));
    return (int) Math.min(packets, Math.max(1, firstLost));
  }
}
