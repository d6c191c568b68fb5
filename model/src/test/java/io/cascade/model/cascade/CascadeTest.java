package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CascadeTest {

  private static final long TEN_GIB = 10L << 30;

  /** The paper's running case: 32 Mbit/s, 64 ms, 0.1 %. */
  private static final Hop PAPER =
      Hop.of(0.064, 0.001)
          .withModel(MathisThroughput.RANDOM_LOSS)
          .withCapacity(Rate.ofMegabits(32));

  @ParameterizedTest
  @EnumSource(SetupMode.class)
  void oneHopIsTheDirectConnectionHoweverItIsOpened(SetupMode setup) {
    RandomCascades random = new RandomCascades(1);
    for (int i = 0; i < 200; i++) {
      Hop hop = random.hop();
      long bytes = random.bytes();
      Cascade oneHop =
          TestCascades.withRelayDelay(0.1, TestCascades.withSetup(setup, Cascade.of(List.of(hop))));
      assertThat(oneHop.deliver(bytes)).isEqualTo(Cascade.direct(hop).deliver(bytes));
      assertThat(oneHop.setupSeconds()).isEqualTo(hop.rttSeconds());
    }
  }

  @Test
  void oneHopTakesHandshakeSlowStartAndSteadyRate() {
    RandomCascades random = new RandomCascades(2);
    for (int i = 0; i < 500; i++) {
      Hop hop = random.hop();
      long bytes = random.bytes();
      double formula = hop.rttSeconds() + SlowStart.deliverySeconds(hop, bytes, 10);
      assertThat(Cascade.direct(hop).deliver(bytes).totalSeconds())
          .isCloseTo(formula, within(1e-6 * formula));
    }
  }

  /** n = 1000, s = 1 ms, RTT = 100 ms: four rounds, then 849 spacings, then half a round trip. */
  @Test
  void slowStartHasTheWorkedValue() {
    Hop hop = Hop.of(0.1, 0).withReceiveWindow(144_800);
    assertThat(SlowStart.rounds(1000, Pace.steady(0.001), 0.1, 10)).isEqualTo(4);
    assertThat(SlowStart.deliverySeconds(hop, 1_448_000, 10)).isCloseTo(1.299, within(1e-9));
  }

  @Test
  void onePacketTakesHandshakeAndHalfARoundTrip() {
    assertThat(Cascade.direct(Hop.of(0.1, 0.001)).deliver(1).totalSeconds())
        .isCloseTo(0.15, within(1e-12));
  }

  /** Gain of R equal hops with Reno: R with the loss unchanged, R^1.5 with the loss divided. */
  @ParameterizedTest
  @CsvSource({"UNCHANGED, 2, 2", "DIVIDED, 2, 2.83", "UNCHANGED, 3, 3", "DIVIDED, 3, 5.196"})
  void renoGainsByTheNumberOfHops(LossDivision division, int hops, double gain) {
    Hop uncapped = Hop.of(0.064, 0.001).withModel(MathisThroughput.RANDOM_LOSS);
    double direct = Cascade.direct(uncapped).steadyBitsPerSecond();
    double cascade = Cascade.equalHops(uncapped, hops, division).steadyBitsPerSecond();
    assertThat(cascade / direct).isCloseTo(gain, within(0.003 * gain));
  }

  /** Gain of R equal hops with CUBIC in its cubic region: R^¼ and R. */
  @ParameterizedTest
  @CsvSource({"UNCHANGED, 2, 1.189", "DIVIDED, 2, 2", "UNCHANGED, 4, 1.414", "DIVIDED, 4, 4"})
  void cubicGainsLessByTheNumberOfHops(LossDivision division, int hops, double gain) {
    Hop path = Hop.of(0.4, 1e-5).withCongestionControl(CongestionControl.CUBIC);
    double direct = Cascade.direct(path).steadyBitsPerSecond();
    double cascade = Cascade.equalHops(path, hops, division).steadyBitsPerSecond();
    assertThat(cascade / direct).isCloseTo(gain, within(0.003 * gain));
  }

  @Test
  void longTransfersReachTheGainOfTheRates() {
    double direct = Cascade.direct(PAPER).deliver(TEN_GIB).totalSeconds();
    double cascade =
        Cascade.equalHops(PAPER, 2, LossDivision.UNCHANGED).deliver(TEN_GIB).totalSeconds();
    assertThat(direct / cascade).isCloseTo(2, within(0.002));
  }

  /** Equal bandwidth-delay products behave alike: 8 Mbit/s at 256 ms as 32 Mbit/s at 64 ms. */
  @Test
  void utilisationFollowsTheBandwidthDelayProduct() {
    Hop stretched = PAPER.withRtt(0.256).withCapacity(Rate.ofMegabits(8));
    assertThat(Cascade.direct(stretched).steadyBitsPerSecond() / 8e6)
        .isCloseTo(Cascade.direct(PAPER).steadyBitsPerSecond() / 32e6, within(1e-12));
  }

  /**
   * A direct connection stops being bound by capacity at c·MSS/(cap·√p): 58 KiB at 0.1 %, published
   * as 32–64 KB.
   */
  @Test
  void capacityBindsUpToABandwidthDelayProductOf58KiB() {
    double c = MathisThroughput.periodicLoss(1).constant();
    double crossover = c * 1448 / (PAPER.framing().payloadShare() * Math.sqrt(0.001));
    assertThat(crossover / 1024).isCloseTo(58, within(0.5));
  }

  @Test
  void slowestHopRulesAStream() {
    Cascade cascade =
        Cascade.of(List.of(Hop.of(0.01, 0.001), Hop.of(0.03, 0.001), Hop.of(0.02, 0.001)));
    assertThat(cascade.bottleneck()).isEqualTo(1);
    assertThat(cascade.steadyBitsPerSecond())
        .isEqualTo(Hop.of(0.03, 0.001).steadyRate().bitsPerSecond());
  }

  @Test
  void noDeliveryBeatsTheBound() {
    RandomCascades random = new RandomCascades(3);
    for (int i = 0; i < 500; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      assertThat(cascade.deliver(bytes).totalSeconds())
          .isGreaterThanOrEqualTo(cascade.leastSeconds(bytes) * (1 - 1e-9));
    }
  }

  @Test
  void theBoundIsExactForEqualHops() {
    RandomCascades random = new RandomCascades(4);
    for (int i = 0; i < 200; i++) {
      Cascade cascade =
          TestCascades.withSetup(
              SetupMode.CHAINED, Cascade.equalHops(random.hop(), 4, LossDivision.UNCHANGED));
      long bytes = random.bytes();
      double bound = cascade.leastSeconds(bytes);
      assertThat(cascade.deliver(bytes).totalSeconds()).isCloseTo(bound, within(1e-6 * bound));
    }
  }

  @Test
  void isNeverFasterWithMoreLossLongerRoundTripsOrLessCapacityOnOneHop() {
    RandomCascades random = new RandomCascades(5);
    for (int i = 0; i < 300; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      double before = cascade.deliver(bytes).totalSeconds();
      int which = i % cascade.hops().size();
      Hop hop = cascade.hops().get(which);
      double carries = Math.min(1e9, hop.payloadCapacityBitsPerSecond());
      for (Hop worse :
          List.of(
              hop.withLoss(Math.min(1, hop.lossProbability() * random.between(1, 10))),
              hop.withRtt(hop.rttSeconds() * random.between(1, 10)),
              hop.withCapacity(new Rate(carries / random.between(1, 10))))) {
        double after = with(cascade, which, worse).deliver(bytes).totalSeconds();
        assertThat(after)
            .as("%s instead of %s in %s", worse, hop, cascade)
            .isGreaterThan(before * (1 - 1e-3));
      }
    }
  }

  @Test
  void fillIsEveryHopsWayOnce() {
    Cascade cascade =
        TestCascades.withRelayDelay(
            0.003,
            TestCascades.withSetup(
                SetupMode.PARALLEL, Cascade.of(List.of(Hop.of(0.02, 0.001), Hop.of(0.04, 0.001)))));
    assertThat(cascade.deliver(1_000_000).fillSeconds())
        .isCloseTo(0.01 + 0.02 + 0.003, within(1e-12));
  }

  /** The last relay shakes hands with the destination when the first packet comes. */
  @Test
  void theFirstPacketThroughAWarmChainWaitsForTheDestinationsHandshake() {
    Cascade cascade = Cascade.of(List.of(Hop.of(0.02, 0.001), Hop.of(0.04, 0.001)));
    assertThat(cascade.setupSeconds()).isEqualTo(0.02);
    assertThat(cascade.deliver(1).fillSeconds()).isCloseTo(0.01 + 0.04 + 0.02, within(1e-12));
  }

  /** The destination's connection is open long before the slow first hop needs it. */
  @Test
  void aSlowerHopBeforeHidesTheDestinationsHandshake() {
    Hop slow = Hop.of(0.02, 0).withCapacity(Rate.ofMegabits(1));
    Hop fast = Hop.of(0.04, 0).withCapacity(Rate.ofMegabits(1000));
    Cascade warm = Cascade.of(List.of(slow, fast));
    Cascade chained = TestCascades.withSetup(SetupMode.CHAINED, warm);
    double atOnce = chained.deliver(10_000_000).totalSeconds() - 0.04;
    assertThat(warm.deliver(10_000_000).totalSeconds()).isCloseTo(atOnce, within(0.001));
  }

  /**
   * A slower downstream hop keeps delivering after the sender is done, for S(1 − X_out/X_in)/X_out.
   */
  @Test
  void drainsWhatASlowerHopHasNotYetPassedOn() {
    Hop fast = Hop.of(0.01, 0).withReceiveWindow(125_000);
    Hop slow = Hop.of(0.01, 0).withReceiveWindow(62_500);
    CascadeTime time = Cascade.of(List.of(fast, slow)).deliver(1_000_000_000);
    double in = 100e6;
    double out = 50e6;
    assertThat(time.drainSeconds()).isCloseTo(8e9 * (1 - out / in) / out, within(0.5));
  }

  /** 100 Mbit/s between 30 and 50 ms: 1.25 MB. */
  @Test
  void relaysNeedTwoBandwidthDelayProducts() {
    Hop before = Hop.of(0.03, 0).withReceiveWindow(375_000);
    Hop after = Hop.of(0.05, 0).withReceiveWindow(625_000);
    assertThat(Cascade.of(List.of(before, after)).relayBufferBytes(0))
        .isCloseTo(1.25e6, within(1.0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cascade.direct(before).relayBufferBytes(0));
  }

  /** Two equal hops of 0.1 %: twelve times 1,460 bytes over the loss. */
  @Test
  void relaysBridgeTwelveLossesOfEqualHops() {
    Hop hop = Hop.of(0.064, 0.001).withModel(CongestionControl.RENO.model());
    Cascade cascade = Cascade.of(List.of(hop, hop));
    assertThat(cascade.relayBufferBytes(0)).isCloseTo(12 * hop.mssBytes() / 0.001, within(1.0));
  }

  @Test
  void aFasterHopNeedsLessToMakeUpForItsLosses() {
    Hop slow = Hop.of(0.064, 0.001).withModel(CongestionControl.RENO.model());
    Hop fast = slow.withRtt(0.032);
    double between = slow.mssBytes() / 0.001;
    assertThat(Cascade.of(List.of(fast, slow)).relayBufferBytes(0))
        .isCloseTo(Cascade.of(List.of(slow, fast)).relayBufferBytes(0), within(1.0))
        .isBetween(0.9 * between, 1.1 * between);
  }

  @Test
  void whereTheLinkIsTheLimitLossesAreNotBridged() {
    Hop hop =
        Hop.of(0.064, 1e-6)
            .withModel(CongestionControl.RENO.model())
            .withCapacity(Rate.ofMegabits(10));
    Cascade cascade = Cascade.of(List.of(hop, hop));
    assertThat(cascade.relayBufferBytes(0))
        .isCloseTo(2 * cascade.steadyBitsPerSecond() * 0.064 / 8, within(1.0));
  }

  /** Only relays wait: the published W·ΣRTT without the last hop's. */
  @Test
  void waitingForWindowsCostsEveryHopButTheLastThatManyRoundTrips() {
    Cascade atOnce =
        TestCascades.withSetup(
            SetupMode.PARALLEL, Cascade.equalHops(PAPER, 3, LossDivision.UNCHANGED));
    Cascade waiting = atOnce.withRelays(new RelayDiscipline.CutThrough(16));
    double extra = waiting.deliver(TEN_GIB).totalSeconds() - atOnce.deliver(TEN_GIB).totalSeconds();
    assertThat(extra).isCloseTo(16 * 2 * 0.064 / 3, within(1e-6));
  }

  /** Chunks: ΣG/Xᵢ + (⌈S/G⌉ − 1)·G/X_min. */
  @Test
  void chunksAddOneChunkPerHop() {
    Hop slow = Hop.of(0.001, 0).withReceiveWindow(1_250);
    Hop fast = Hop.of(0.001, 0).withReceiveWindow(12_500);
    long bytes = 1_000_000_000;
    long chunk = 10_000_000;
    double formula = 8.0 * chunk / 10e6 + 8.0 * chunk / 100e6 + 99 * 8.0 * chunk / 10e6;
    Cascade cascade =
        Cascade.of(List.of(slow, fast)).withRelays(new RelayDiscipline.Chunked(chunk));
    assertThat(cascade.deliver(bytes).totalSeconds()).isCloseTo(formula, within(1e-3 * formula));
  }

  @Test
  void storingEverythingAddsUpTheHopsDeliveries() {
    RandomCascades random = new RandomCascades(6);
    for (int i = 0; i < 100; i++) {
      Cascade cascade =
          TestCascades.withSetup(
              SetupMode.CHAINED, random.any().withRelays(new RelayDiscipline.StoreAndForward()));
      long bytes = random.bytes();
      double sum =
          cascade.setupSeconds() + cascade.relayDelaySeconds() * (cascade.hops().size() - 1);
      for (Hop hop : cascade.hops()) {
        sum += SlowStart.deliverySeconds(hop, bytes, 10);
      }
      assertThat(cascade.deliver(bytes).totalSeconds()).isCloseTo(sum, within(1e-6 * sum));
    }
  }

  @Test
  void neverEndsWhereAHopDeliversNothing() {
    Hop dead =
        Hop.of(0.01, 0.5)
            .withCongestionControl(CongestionControl.BBR)
            .withCapacity(Rate.ofMegabits(1));
    Cascade cascade = Cascade.of(List.of(Hop.of(0.01, 0.001), dead));
    assertThat(cascade.deliver(1).totalSeconds()).isInfinite();
    assertThat(cascade.leastSeconds(1)).isInfinite();
  }

  @Test
  void withoutAnyLimitOnlySlowStartTakesTime() {
    Cascade unlimited = Cascade.direct(Hop.of(0.1, 0));
    // 7,415,552 packets: 10·(2ʲ − 1) first exceeds them for j = 20, so the last leaves in round 19.
    assertThat(unlimited.deliver(TEN_GIB).totalSeconds())
        .isCloseTo(0.1 + 19 * 0.1 + 0.05, within(1e-9));
  }

  @Test
  void refusesAnEmptyChain() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cascade.of(List.of()))
        .withMessage("hops: [] (expected: at least one)");
    assertThatIllegalArgumentException().isThrownBy(() -> Cascade.direct(PAPER).deliver(0));
    assertThatIllegalArgumentException().isThrownBy(() -> PAPER.withRtt(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> PAPER.withReceiveWindow(0));
  }

  private static Cascade with(Cascade cascade, int index, Hop hop) {
    List<Hop> hops = new ArrayList<>(cascade.hops());
    hops.set(index, hop);
    return new Cascade(
        hops,
        cascade.setup(),
        cascade.relays(),
        cascade.relayDelaySeconds(),
        cascade.initialWindow());
  }

  @Test
  void slowStartLastsItsRoundsOfTheHop() {
    Hop hop =
        Hop.of(0.1, 0).withCapacity(new Rate(8e3 * 1448 / Framing.ETHERNET_1500.payloadShare()));
    assertThat(Cascade.direct(hop).slowStartSeconds(0, 1000 * 1448)).isCloseTo(0.4, within(1e-9));
    assertThat(
            Cascade.direct(hop.withLoss(1).withCongestionControl(CongestionControl.BBR))
                .slowStartSeconds(0, 1))
        .isZero();
  }
}
