package io.cascade.model.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LinkTransferTest {

  @Test
  void aQueueShowsThatTheLinkWasFull() {
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 64, 90, 300, true).filledBitsPerSecond())
        .hasValue(30e6);
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 64, 70, 300, true).filledBitsPerSecond())
        .isEmpty();
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 1, 2.5, 300, true).filledBitsPerSecond())
        .as("a millisecond and a half may be anything")
        .isEmpty();
  }

  @Test
  void anEndThatHoldsTheTransferBackFillsNothing() {
    LinkTransfer held = transfer(CongestionControl.CUBIC, 30e6, 64, 90, 300, false);
    assertThat(held.filledBitsPerSecond()).isEmpty();
    assertThat(held.lesson()).isEmpty();
    assertThat(held.achieved()).isEmpty();
    assertThat(held.highestBitsPerSecond()).isEqualTo(30e6);
  }

  @Test
  void bbrReachesNearlyAllOfTheCapacity() {
    assertThat(transfer(CongestionControl.BBR, 29.4e6, 64, 66, 0, true).filledBitsPerSecond())
        .hasValueCloseTo(30e6, within(1.0));
    LinkTransfer begun = transfer(CongestionControl.BBR, 29.4e6, 150, 155, 0, true);
    assertThat(begun.filledBitsPerSecond()).as("27 round trips").isEmpty();
    assertThat(begun.achieved().orElseThrow().bitsPerSecond()).isEqualTo(29.4e6);
    LinkTransfer tooShort = transfer(CongestionControl.BBR, 29.4e6, 300, 310, 0, true);
    assertThat(tooShort.achieved()).as("13 round trips, of which 8 double the window").isEmpty();
  }

  @Test
  void aRateThatOneLossOrAQueueSetIsWhatALikeTransferMayAchieve() {
    assertThat(transfer(CongestionControl.RENO, 30e6, 64, 64, 1, true).achieved()).isPresent();
    assertThat(transfer(CongestionControl.RENO, 30e6, 64, 64, 1, true).lesson()).isEmpty();
    assertThat(transfer(CongestionControl.RENO, 30e6, 64, 90, 0, true).achieved()).isPresent();
    assertThat(transfer(CongestionControl.RENO, 30e6, 64, 64, 0, true).achieved())
        .as("nothing is known to have set it")
        .isEmpty();
  }

  @Test
  void whatOverflowedItsOwnQueueIsNotTheLinksLoss() {
    LinkTransfer full = transfer(CongestionControl.CUBIC, 30e6, 40, 60, 300, true);
    assertThat(full.losses()).isEqualTo(5.56, within(0.01));
    assertThat(full.packets()).isEqualTo(40_000);
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 40, 42, 300, true).losses()).isEqualTo(300);
    assertThat(transfer(CongestionControl.BBR, 30e6, 40, 60, 300, true).packets()).isZero();
    LinkTransfer begun = transfer(CongestionControl.BBR, 48e6, 80, 82.4, 1_017, true);
    assertThat(begun.packets()).as("lost in a queue that is gone").isZero();
    assertThat(begun.losses()).isZero();
  }

  /** CUBIC reaches 39 Mbit/s over 51 ms at a loss of 0.006 %. */
  @Test
  void whatABeginningLostIsNoMoreThanItsRateAllows() {
    LinkTransfer whole =
        new LinkTransfer(
            CongestionControl.CUBIC,
            39e6,
            OptionalDouble.empty(),
            5,
            24_000,
            91,
            0.051,
            OptionalDouble.empty(),
            true);
    assertThat(whole.losses()).isEqualTo(91);
    assertThat(whole.withoutLossesOfItsBeginning().losses()).isBetween(0.0, 4.0);
    LinkTransfer slow =
        new LinkTransfer(
            CongestionControl.CUBIC,
            0.5e6,
            OptionalDouble.empty(),
            5,
            240,
            9,
            0.051,
            OptionalDouble.empty(),
            true);
    assertThat(slow.withoutLossesOfItsBeginning()).isEqualTo(slow);
  }

  @Test
  void aRateThatLossesSetTeachesByTheLossesThatItMet() {
    LinkTransfer slow =
        new LinkTransfer(
            CongestionControl.CUBIC,
            1.65e6,
            OptionalDouble.empty(),
            5,
            750,
            4,
            0.16,
            OptionalDouble.of(0.161),
            true);
    assertThat(slow.lesson().orElseThrow().ratio()).isEqualTo(1.41, within(0.01));
    assertThat(slow.lesson().orElseThrow().weight()).isEqualTo(0.4);
    assertThat(slow.achieved().orElseThrow().losses()).isEqualTo(4);
  }

  @Test
  void aRateThatTheCapacitySetOrThatMetNoLossTeachesNothingOfTheModel() {
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 64, 90, 300, true).lesson()).isEmpty();
    assertThat(transfer(CongestionControl.CUBIC, 30e6, 64, 64, 2, true).lesson()).isEmpty();
    assertThat(transfer(CongestionControl.BBR, 30e6, 64, 64, 300, true).lesson()).isEmpty();
  }

  private static LinkTransfer transfer(
      CongestionControl control,
      double rate,
      double minRttMillis,
      double loadedRttMillis,
      long retransmitted,
      boolean byNetwork) {
    return new LinkTransfer(
        control,
        rate,
        OptionalDouble.of(rate),
        4,
        40_000,
        retransmitted,
        minRttMillis / 1e3,
        OptionalDouble.of(loadedRttMillis / 1e3),
        byNetwork);
  }
}
