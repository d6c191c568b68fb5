package io.cascade.orchestrator.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.planning.Capacity;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TransfersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final double SHARE = Framing.ETHERNET_1500.payloadShare();

  @Test
  void lossesCountLessAsTheyAge() {
    Transfers transfers = test(Transfers.NONE, NOW, 10e6, 41);
    assertThat(transfers.losses(NOW).sent()).isEqualTo(10_000);
    assertThat(transfers.losses(NOW.plus(Transfers.HALF_LIFE)).sent()).isEqualTo(5_000);
    assertThat(transfers.losses(NOW.plus(Transfers.HALF_LIFE)).lost()).isEqualTo(10);
    assertThat(transfers.losses(NOW.plus(Transfers.KEPT).plusSeconds(1)).sent()).isZero();
  }

  @Test
  void theHighestRateIsTheLeastThatTheLinkCarriesForADay() {
    Transfers transfers = test(test(Transfers.NONE, NOW, 10e6, 41), NOW.plusSeconds(60), 6e6, 41);
    assertThat(transfers.capacity(null, NOW)).isEqualTo(new Capacity.AtLeast(10e6 / SHARE));
    assertThat(transfers.capacity(null, NOW.plus(Duration.ofDays(2))))
        .isEqualTo(new Capacity.AtLeast(0));
    assertThat(transfers.capacity(50_000_000L, NOW)).isEqualTo(new Capacity.Known(50e6));
    Transfers later = test(transfers, NOW.plus(Duration.ofDays(2)), 3e6, 41);
    assertThat(later.capacity(null, NOW.plus(Duration.ofDays(2))))
        .isEqualTo(new Capacity.AtLeast(3e6 / SHARE));
  }

  @Test
  void aFilledLinkHasACapacityThatWhatIsSeenThereaboutsMayRaise() {
    Transfers transfers = test(Transfers.NONE, NOW, 28e6, 80);
    assertThat(transfers.capacity(null, NOW)).isEqualTo(measured(28e6));
    assertThat(transfers.capacity(20_000_000L, NOW).known()).hasValue(20e6);
    assertThat(test(transfers, NOW.plusSeconds(1), 35e6, 41).capacity(null, NOW))
        .isEqualTo(measured(35e6));
    assertThat(test(transfers, NOW.plusSeconds(1_000), 35e6, 41).capacity(null, NOW))
        .isEqualTo(measured(35e6));
  }

  /** Another stream beside a transfer, or a busy processor, makes it slower. */
  @Test
  void ofTransfersThatFilledALinkWithinAQuarterOfAnHourTheQuickestShowsItsCapacity() {
    Transfers transfers = test(Transfers.NONE, NOW, 28e6, 80);
    assertThat(test(transfers, NOW.plusSeconds(60), 15e6, 80).capacity(null, NOW))
        .isEqualTo(measured(28e6));
    assertThat(test(transfers, NOW.plusSeconds(60), 30e6, 80).capacity(null, NOW))
        .isEqualTo(measured(30e6));
    assertThat(
            test(Transfers.atLeast(28e6, NOW), NOW.plusSeconds(60), 15e6, 80).capacity(null, NOW))
        .isEqualTo(measured(28e6));
  }

  @Test
  void aLinkThatHasBecomeSlowerIsBelievedAfterAQuarterOfAnHour() {
    Transfers transfers = test(Transfers.NONE, NOW, 28e6, 80);
    transfers = test(transfers, NOW.plusSeconds(600), 15e6, 80);
    Instant later = NOW.plusSeconds(1_200);
    assertThat(test(transfers, later, 15e6, 80).capacity(null, later)).isEqualTo(measured(15e6));
  }

  private static Capacity measured(double payload) {
    return new Capacity.Known(payload / SHARE, 0.06);
  }

  @Test
  void itIsBoundedHoweverManyTransfersThereAre() {
    Transfers transfers = Transfers.NONE;
    for (int i = 0; i < 2_000; i++) {
      transfers = test(transfers, NOW.plusSeconds(10L * i), 10e6, 41);
    }
    assertThat(transfers.spans()).hasSizeLessThanOrEqualTo(25);
    assertThat(transfers.achieved()).hasSize(1);
  }

  @Test
  void itIsTheSameAfterItWasStored() {
    Transfers transfers = test(test(Transfers.NONE, NOW, 28e6, 80), NOW, 10e6, 41);
    String stored = Json.lenient().writeValueAsString(transfers);
    assertThat(Json.lenient().readValue(stored, Transfers.class)).isEqualTo(transfers);
  }

  @Test
  void manyDataSegmentsCountInPlaceOfProbes() {
    LinkWindow.Counts probes = new LinkWindow.Counts(1_000, 100, 40.0, 41.0, 0.1, NOW);
    assertThat(loss(probes, test(Transfers.NONE, NOW, 10e6, 41)))
        .isEqualTo(new LossEstimate(20, 10_000));
    assertThat(loss(probes, Transfers.NONE)).isEqualTo(new LossEstimate(100, 1_000));
    Transfers few =
        Transfers.NONE.and(NOW, EvidenceSource.STREAM, transfer(2_000, 4, 1e6, 41), 1e6);
    assertThat(loss(probes, few)).isEqualTo(new LossEstimate(104, 3_000));
  }

  /** What was stored before bursts were told apart has no events. */
  @Test
  void aBurstOfLostProbesCountsOnce() {
    LinkWindow.Counts burst = new LinkWindow.Counts(300, 8, 40.0, 41.0, 0.1, NOW, 1L);
    LinkWindow.Counts older = new LinkWindow.Counts(300, 8, 40.0, 41.0, 0.1, NOW, null);

    assertThat(loss(burst, Transfers.NONE)).isEqualTo(new LossEstimate(1, 292));
    assertThat(loss(older, Transfers.NONE)).isEqualTo(new LossEstimate(8, 300));
  }

  @Test
  void attemptsLosePacketsInTwoDirections() {
    LinkWindow.Counts attempts = new LinkWindow.Counts(50, 1, 40.0, 41.0, null, NOW);
    MeasuredLink link = MeasuredLink.ofAttempts("a", "b", attempts, Transfers.NONE, null, NOW);
    assertThat(link.estimate().orElseThrow().loss()).isEqualTo(new LossEstimate(1, 100));
  }

  @Test
  void aLinkKnowsWhetherATransferWasSeenLately() {
    LinkWindow.Counts probes = new LinkWindow.Counts(1_000, 1, 40.0, 41.0, 0.1, NOW);
    Transfers tested = test(Transfers.NONE, NOW, 10e6, 41);
    assertThat(link(probes, Transfers.NONE, NOW).wasSeenWithin(QUARTER)).isFalse();
    assertThat(link(probes, tested, NOW.plusSeconds(800)).wasSeenWithin(QUARTER)).isTrue();
    assertThat(link(probes, tested, NOW.plusSeconds(1_000)).wasSeenWithin(QUARTER)).isFalse();
  }

  /** Probes are datagrams, transfers are connections. */
  @Test
  void aLinkBlocksDatagramsWhereNoneWasAnsweredAndTransfersGotThrough() {
    Transfers tested = test(Transfers.NONE, NOW, 10e6, 41);
    assertThat(blocks(20, 20, tested)).isTrue();
    assertThat(blocks(20, 19, tested)).isFalse();
    assertThat(blocks(5, 5, tested)).as("chance may lose five").isFalse();
  }

  private static boolean blocks(long sent, long lost, Transfers transfers) {
    LinkWindow.Counts probes = new LinkWindow.Counts(sent, lost, null, null, null, NOW);
    return link(probes, transfers, NOW).estimate().orElseThrow().blocksDatagrams();
  }

  @Test
  void whatLossesLetItAchieveIsOfOneCongestionControl() {
    MeasuredLink link =
        link(
            new LinkWindow.Counts(0, 0, null, null, null, NOW),
            test(Transfers.NONE, NOW, 10e6, 41),
            NOW);
    assertThat(link.estimate().orElseThrow().achieved(CongestionControl.CUBIC)).isPresent();
    assertThat(link.estimate().orElseThrow().rtt().toNanos() / 1e6)
        .as("probes were never answered")
        .isEqualTo(40, within(1e-6));
    assertThat(link.estimate().orElseThrow().achieved(CongestionControl.RENO)).isEmpty();
  }

  private static LossEstimate loss(LinkWindow.Counts probes, Transfers transfers) {
    return link(probes, transfers, NOW).estimate().orElseThrow().loss();
  }

  private static MeasuredLink link(LinkWindow.Counts probes, Transfers transfers, Instant at) {
    return new MeasuredLink("a", "b", probes, transfers, null, false, at);
  }

  private static Transfers test(Transfers before, Instant at, double rate, double loadedMillis) {
    return before.and(at, EvidenceSource.TEST, transfer(10_000, 20, rate, loadedMillis), rate);
  }

  private static LinkTransfer transfer(long sent, long again, double rate, double loadedMillis) {
    return new LinkTransfer(
        CongestionControl.CUBIC,
        rate,
        OptionalDouble.of(rate),
        4,
        sent,
        again,
        0.04,
        OptionalDouble.of(loadedMillis / 1e3),
        true);
  }
}
