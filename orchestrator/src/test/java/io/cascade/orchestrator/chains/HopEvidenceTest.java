package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.chains.HopEvidence.Between;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What two looks at a hop ten seconds apart show of its link. */
class HopEvidenceTest {
  private static final HopConnections BEFORE = hop(1, 1_000, 2, 1_000_000L, 1_000L, 0L, "cubic");
  private static final Between TEN_SECONDS = new Between(OptionalDouble.of(10), true);
  private static final Stalls IDLE = new Stalls(1.0, 1.0, 0.0);
  private static final Stalls HELD_BACK = new Stalls(1.5, 10.5, 0.0);

  @Test
  void theDifferenceIsATransfer() {
    LinkTransfer transfer =
        show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 100L, "cubic"), HELD_BACK).orElseThrow();
    assertThat(transfer.control()).isEqualTo(CongestionControl.CUBIC);
    assertThat(transfer.sentSegments()).isEqualTo(10_000);
    assertThat(transfer.retransmittedSegments()).isEqualTo(20);
    assertThat(transfer.bitsPerSecond()).isEqualTo(100e6 / 9.9, within(1e-3));
    assertThat(transfer.minRttSeconds()).isEqualTo(0.04);
    assertThat(transfer.byNetwork()).isTrue();
    assertThat(transfer.achieved()).isPresent();
  }

  @Test
  void aHopThatNothingWaitedForWasNotHeldBackByItsLink() {
    LinkTransfer transfer =
        show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 100L, "cubic"), IDLE).orElseThrow();
    assertThat(transfer.byNetwork()).isFalse();
    assertThat(transfer.losses()).isEqualTo(20);
    assertThat(transfer.highestBitsPerSecond()).isEqualTo(100e6 / 9.9, within(1e-3));
  }

  @Test
  void aHopThatDataWaitedForInAPartOfTheTimeAloneShowsNoCapacity() {
    Stalls often = new Stalls(1.5, 8.0, 0.0);
    LinkTransfer transfer =
        show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 100L, "cubic"), often).orElseThrow();
    assertThat(transfer.byNetwork()).isFalse();
  }

  /** Five of the ten seconds the stream had nothing to send, or was over. */
  @Test
  void theTimeInWhichAHopHadNothingUnderWayMakesNoSlowLink() {
    Stalls half = new Stalls(1.5, 5.5, 0.0);
    LinkTransfer transfer =
        show(hop(1, 11_000, 22, 13_500_000L, 6_000L, 100L, "bbr"), half).orElseThrow();
    assertThat(transfer.byNetwork()).isTrue();
    assertThat(transfer.filledBitsPerSecond().orElseThrow()).isEqualTo(20e6 / 0.98, within(1e-3));
  }

  @Test
  void neitherWasOneThatAWindowOrSeveralStreamsOrPacingHeldBack() {
    assertThat(
            show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 9_000L, "cubic"), HELD_BACK)
                .orElseThrow()
                .byNetwork())
        .isFalse();
    assertThat(
            HopEvidence.transfer(
                    BEFORE,
                    hop(1, 11_000, 22, 13_500_000L, 10_900L, 100L, "cubic"),
                    IDLE,
                    HELD_BACK,
                    new Between(OptionalDouble.of(10), false),
                    false)
                .orElseThrow()
                .byNetwork())
        .isFalse();
    assertThat(
            HopEvidence.transfer(
                    BEFORE,
                    hop(1, 11_000, 22, 13_500_000L, 10_900L, 100L, "cubic"),
                    IDLE,
                    HELD_BACK,
                    TEN_SECONDS,
                    true)
                .orElseThrow()
                .byNetwork())
        .isFalse();
  }

  @Test
  void whatAWindowHeldBackShowsARateAlone() {
    LinkTransfer transfer =
        show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 1_300L, "cubic"), HELD_BACK).orElseThrow();
    assertThat(transfer.byNetwork()).isFalse();
    assertThat(transfer.packets()).isZero();
    assertThat(transfer.losses()).isZero();
    assertThat(transfer.highestBitsPerSecond()).isEqualTo(100e6 / 9.9, within(1e-3));
  }

  /** Four seconds of a stream that has ended before anybody looked. */
  @Test
  void theFirstLookShowsWhatWasSentWhileTheHopWasBusy() {
    HopConnections ended = hop(0, 4_000, 8, 5_000_000L, 4_000L, 0L, "cubic");
    LinkTransfer transfer =
        HopEvidence.transfer(
                hop(0, 0, 0, 0L, 0L, 0L, null),
                ended,
                null,
                new Stalls(0.0, 3.5, 0.0),
                new Between(OptionalDouble.empty(), true),
                false)
            .orElseThrow();
    assertThat(transfer.bitsPerSecond()).isEqualTo(10e6, within(1e-3));
    assertThat(transfer.sentSegments()).isEqualTo(4_000);
    assertThat(transfer.losses()).as("no more than its rate allows, of 8").isEqualTo(5);
    assertThat(transfer.byNetwork()).isTrue();
    assertThat(transfer.filledBitsPerSecond()).as("it was not steady").isEmpty();
  }

  @Test
  void aFirstLookAtAPartThatWasBusyForLongShowsNothing() {
    assertThat(
            HopEvidence.transfer(
                hop(0, 0, 0, 0L, 0L, 0L, null),
                hop(1, 90_000, 8, 90_000_000L, 61_000L, 0L, "cubic"),
                null,
                null,
                new Between(OptionalDouble.empty(), true),
                false))
        .isEmpty();
  }

  @Test
  void aSlowLinkShowsWhatItCarriedWhileItWasBusy() {
    LinkTransfer transfer =
        show(hop(1, 1_300, 12, 1_400_000L, 5_000L, 0L, "cubic"), HELD_BACK).orElseThrow();
    assertThat(transfer.retransmittedSegments()).isEqualTo(10);
    assertThat(show(hop(1, 1_010, 2, 1_014_000L, 5_000L, 0L, "cubic"), HELD_BACK)).isEmpty();
  }

  @Test
  void whatIsLittleOrUnknownOrCountedAnewShowsNothing() {
    assertThat(show(hop(1, 1_100, 2, 1_100_000L, 2_000L, 0L, "cubic"), HELD_BACK)).isEmpty();
    assertThat(show(hop(1, 11_000, 22, null, null, null, null), HELD_BACK)).isEmpty();
    assertThat(show(hop(1, 11_000, 22, 13_500_000L, 10_900L, 0L, "vegas"), HELD_BACK)).isEmpty();
    assertThat(show(hop(1, 900, 1, 13_500_000L, 10_900L, 0L, "cubic"), HELD_BACK)).isEmpty();
    assertThat(HopEvidence.transfer(null, BEFORE, IDLE, HELD_BACK, TEN_SECONDS, false)).isEmpty();
  }

  private static Optional<LinkTransfer> show(HopConnections now, Stalls stalls) {
    return HopEvidence.transfer(BEFORE, now, IDLE, stalls, TEN_SECONDS, false);
  }

  private static HopConnections hop(
      long connections,
      long sent,
      long again,
      @Nullable Long acked,
      @Nullable Long busyMillis,
      @Nullable Long receiverLimitedMillis,
      @Nullable String control) {
    return HopConnections.builder()
        .hop(new HopAddress(0, 0, 1))
        .connections(connections)
        .meanRttMillis(41.0)
        .minRttMillis(40.0)
        .congestionWindowSegments(50L)
        .unackedSegments(40L)
        .notSentBytes(0L)
        .sentSegments(sent)
        .retransmittedSegments(again)
        .ackedBytes(acked)
        .busyMillis(busyMillis)
        .receiverLimitedMillis(receiverLimitedMillis)
        .senderLimitedMillis(acked == null ? null : 0L)
        .congestionControl(control)
        .build();
  }
}
