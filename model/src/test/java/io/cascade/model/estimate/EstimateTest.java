package io.cascade.model.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.CascadeTime;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.estimate.Estimate.Rival;
import io.cascade.model.estimate.EstimateRequest.Variant;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EstimateTest {
  private static final long HUNDRED_MB = 100_000_000;
  private static final double PERIODIC = MathisThroughput.periodicLoss(1).constant();

  /** The paper's running case. */
  private static final PathInput PAPER =
      PathInput.of(0.064, Interval.exactly(0.001)).withCapacity(32e6);

  private static EstimateRequest.Builder paper() {
    return EstimateRequest.over(SenderModel.MATHIS, PAPER)
        .parameters(new SenderParameters(OptionalDouble.of(PERIODIC), 1, OptionalDouble.empty()));
  }

  @Test
  void thePapersRunningCase() {
    Estimate estimate = Estimate.of(paper().cut(1, LossDivision.DIVIDED).build());

    // 22 % of 32 Mbit/s, and R^1.5 with one relay (Cascaded TCP, section 4 and equation 8).
    assertThat(estimate.direct().bitsPerSecond().likely() / 32e6).isCloseTo(0.219, within(0.001));
    assertThat(estimate.gain().orElseThrow().likely()).isCloseTo(Math.pow(2, 1.5), within(0.001));
    assertThat(Estimate.of(paper().cut(1, LossDivision.UNCHANGED).build()).gain().orElseThrow())
        .satisfies(gain -> assertThat(gain.likely()).isCloseTo(2, within(1e-9)));
  }

  @Test
  void relaysUseTheQuickestOfTheirControls() {
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(
                    SenderModel.CUBIC,
                    PathInput.of(0.064, Interval.exactly(0.01)).withCapacity(32e6))
                .cut(2, LossDivision.DIVIDED)
                .relayControls(List.of(SenderModel.RENO, SenderModel.BBR, SenderModel.CUBIC))
                .build());
    assertThat(estimate.cascade().orElseThrow().hops())
        .extracting(HopEstimate::model)
        .as("what the sender uses, nobody changes")
        .containsExactly(SenderModel.CUBIC, SenderModel.BBR, SenderModel.BBR);
    assertThat(estimate.direct().hops())
        .extracting(HopEstimate::model)
        .containsOnly(SenderModel.CUBIC);
  }

  @Test
  void aHopThatNamesItsControlKeepsIt() {
    Estimate estimate =
        Estimate.of(
            EstimateRequest.through(
                    SenderModel.CUBIC, List.of(PAPER, PAPER.withModel(SenderModel.RENO), PAPER))
                .relayControls(List.of(SenderModel.BBR))
                .build());
    assertThat(estimate.cascade().orElseThrow().hops())
        .extracting(HopEstimate::model)
        .containsExactly(SenderModel.CUBIC, SenderModel.RENO, SenderModel.BBR);
  }

  @Test
  void controlsOfRelaysNeedRelays() {
    EstimateRequest.Builder direct =
        EstimateRequest.over(SenderModel.CUBIC, PAPER).relayControls(List.of(SenderModel.BBR));
    assertThatIllegalArgumentException()
        .isThrownBy(direct::build)
        .withMessageContaining("relayControls: [BBR] (expected: with relays");
  }

  @Test
  void everyCapIsShownAndTheLeastBinds() {
    HopEstimate free = Estimate.of(paper().build()).direct().bottleneckHop();
    assertThat(free.limit()).isEqualTo(RateLimit.CONGESTION_CONTROL);
    assertThat(free.capacityBitsPerSecond()).isCloseTo(0.9415 * 32e6, within(2e3));
    assertThat(free.windowBitsPerSecond()).isInfinite();

    HopEstimate window =
        Estimate.of(paper().receiveWindowBytes(16_384).build()).direct().bottleneckHop();
    assertThat(window.limit()).isEqualTo(RateLimit.RECEIVE_WINDOW);
    assertThat(window.bitsPerSecond().likely()).isCloseTo(2.048e6, within(1.0));
    assertThat(window.modelBitsPerSecond()).isEqualTo(free.modelBitsPerSecond());

    PathInput clean = PathInput.of(0.064, Interval.exactly(0)).withCapacity(32e6);
    HopEstimate full =
        Estimate.of(EstimateRequest.over(SenderModel.CUBIC, clean).build())
            .direct()
            .bottleneckHop();
    assertThat(full.limit()).isEqualTo(RateLimit.CAPACITY);
    assertThat(full.modelBitsPerSecond()).isInfinite();
  }

  @ParameterizedTest
  @EnumSource(SetupMode.class)
  void timesAreTheCascadesOwn(SetupMode setup) {
    PathInput near = PathInput.of(0.02, Interval.exactly(1e-4)).withModel(SenderModel.CUBIC);
    PathInput far = PathInput.of(0.05, Interval.exactly(1e-3)).withCapacity(50e6);
    Estimate estimate =
        Estimate.of(
            EstimateRequest.through(SenderModel.RENO, List.of(near, far))
                .bytes(HUNDRED_MB)
                .setup(setup)
                .forwarding(new RelayDiscipline.Chunked(1 << 20))
                .build());

    CascadeTime time =
        new Cascade(
                List.of(
                    Hop.of(0.02, 1e-4).withCongestionControl(CongestionControl.CUBIC),
                    Hop.of(0.05, 1e-3).withCapacity(Rate.ofMegabits(50))),
                setup,
                new RelayDiscipline.Chunked(1 << 20),
                0,
                10)
            .deliver(HUNDRED_MB);
    TransferTime shown = estimate.cascade().orElseThrow().time().orElseThrow();
    assertThat(shown.total().likely()).isEqualTo(time.totalSeconds());
    assertThat(shown.setup()).isEqualTo(time.setupSeconds());
    assertThat(shown.setup() + shown.sending() + shown.drain())
        .isCloseTo(shown.total().likely(), within(1e-9));
    assertThat(shown.slowStart()).isPositive().isLessThan(shown.sending());
    assertThat(estimate.cascade().orElseThrow().relayBufferBytes()).hasSize(1);
  }

  @Test
  void hopsMakeTheDirectPathWhereNoneIsGiven() {
    Estimate estimate =
        Estimate.of(
            EstimateRequest.through(
                    SenderModel.CUBIC,
                    List.of(
                        PathInput.of(0.02, Interval.exactly(0.01)).withCapacity(10e6),
                        PathInput.of(0.03, Interval.exactly(0.02))))
                .build());

    PathInput direct = estimate.direct().hops().getFirst().input();
    assertThat(direct.rttSeconds()).isEqualTo(0.05);
    assertThat(direct.lossProbability().likely()).isCloseTo(0.0298, within(1e-12));
    assertThat(direct.capacityBitsPerSecond()).hasValue(10e6);
    assertThat(estimate.direct().bottleneckHop().basis()).contains("beyond the model's range");
  }

  @Test
  void countedLossMakesIntervals() {
    Interval counted = new LossEstimate(31, 10_000).interval(LossEstimate.CONFIDENCE);
    PathInput path = PathInput.of(0.064, counted);
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(SenderModel.MATHIS, path)
                .cut(1, LossDivision.DIVIDED)
                .bytes(HUNDRED_MB)
                .build());

    Interval rate = estimate.direct().bitsPerSecond();
    assertThat(rate.low()).isLessThan(rate.likely());
    assertThat(rate.high()).isGreaterThan(rate.likely());
    Interval total = estimate.direct().time().orElseThrow().total();
    assertThat(total.low()).isLessThan(total.high());
    // The same loss on both sides: the gain hardly depends on it.
    Interval gain = estimate.gain().orElseThrow();
    assertThat(gain.high() / gain.low()).isLessThan(1.05);
  }

  @Test
  void lossMeasuredApartMakesTheGainUncertain() {
    Interval counted = new LossEstimate(31, 10_000).interval(LossEstimate.CONFIDENCE);
    PathInput half = PathInput.of(0.032, counted);
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(SenderModel.MATHIS, PathInput.of(0.064, counted))
                .hops(List.of(half, half))
                .build());

    Interval gain = estimate.gain().orElseThrow();
    assertThat(gain.likely()).isCloseTo(2, within(1e-9));
    assertThat(gain.high() / gain.low()).isGreaterThan(1.3);
  }

  @Test
  void rivalsShareTheCapacity() {
    Estimate estimate = Estimate.of(paper().parallelConnections(8).build());

    assertThat(estimate.rivals())
        .extracting(Rival::kind)
        .containsExactly(Rival.Kind.PARALLEL_DIRECT, Rival.Kind.DIRECT_BBR);
    WayEstimate parallel = estimate.rivals().getFirst().way();
    assertThat(parallel.bitsPerSecond().likely()).isCloseTo(0.9415 * 32e6, within(2e3));
    assertThat(parallel.bottleneckHop().limit()).isEqualTo(RateLimit.CAPACITY);
  }

  @Test
  void withBbrOnTheDirectPathThereIsNothingToWin() {
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(SenderModel.BBR, PAPER).cut(1, LossDivision.DIVIDED).build());

    assertThat(estimate.gain().orElseThrow().likely()).isCloseTo(1, within(0.01));
    assertThat(estimate.rivals())
        .extracting(Rival::kind)
        .containsExactly(Rival.Kind.PARALLEL_DIRECT);
  }

  @Test
  void whereNothingKnownLimitsThereIsNoGain() {
    PathInput clean = PathInput.of(0.064, Interval.exactly(0));
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(SenderModel.CUBIC, clean).cut(2, LossDivision.DIVIDED).build());

    assertThat(estimate.gain()).isEmpty();
    assertThat(estimate.direct().bottleneckHop().limit()).isEqualTo(RateLimit.NOTHING_KNOWN);
  }

  @Test
  void nothingGetsThroughAWayThatLosesTooMuch() {
    PathInput dead = PathInput.of(0.064, Interval.exactly(0.5)).withCapacity(1e6);
    Estimate estimate = Estimate.of(EstimateRequest.over(SenderModel.BBR, dead).bytes(1).build());

    assertThat(estimate.direct().bitsPerSecond().likely()).isZero();
    TransferTime time = estimate.direct().time().orElseThrow();
    assertThat(time.total().likely()).isInfinite();
    assertThat(time.goodputBitsPerSecond().likely()).isZero();
  }

  @Test
  void thePublishedVariantIsThePublishedEquations() {
    Estimate estimate =
        Estimate.of(
            EstimateRequest.over(SenderModel.MATHIS, PAPER)
                .variant(Variant.AS_PUBLISHED)
                .cut(1, LossDivision.UNCHANGED)
                .bytes(HUNDRED_MB)
                .build());

    Hop path = Hop.of(0.064, 0.001);
    Hop half = path.withRtt(0.032);
    AsPublished published = AsPublished.DEFAULTS;
    assertThat(estimate.direct().time().orElseThrow().total().likely())
        .isEqualTo(published.longHaulSeconds(path, HUNDRED_MB));
    TransferTime cascade = estimate.cascade().orElseThrow().time().orElseThrow();
    assertThat(cascade.total().likely())
        .isCloseTo(published.cascadedSeconds(List.of(half, half), HUNDRED_MB), within(1e-9));
    assertThat(cascade.setup()).isCloseTo(0.096, within(1e-12));
    assertThat(cascade.fill()).isCloseTo(16 * 0.064, within(1e-12));
    assertThat(estimate.rivals()).isEmpty();
  }

  @Test
  void whatDoesNotBelongTogetherIsRefusedByName() {
    refused(EstimateRequest.of(SenderModel.CUBIC), "path: none (expected: ");
    refused(
        paper().hops(List.of(PAPER)).cut(1, LossDivision.DIVIDED),
        "relays: 1 (expected: on a path");
    refused(paper().bytes(0), "bytes: 0 (expected: 1..");
    refused(paper().parallelConnections(0), "parallelConnections: 0 (expected: 1..1000)");
    refused(
        EstimateRequest.over(SenderModel.CUBIC, PAPER).variant(Variant.AS_PUBLISHED),
        "variant: as-published (expected: with model mathis everywhere)");
    refused(
        paper().variant(Variant.AS_PUBLISHED).forwarding(new RelayDiscipline.StoreAndForward()),
        "expected: pipelined");
    refused(paper().variant(Variant.AS_PUBLISHED).setup(SetupMode.WARM), "setup: WARM");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> paper().cut(16, LossDivision.DIVIDED))
        .withMessage("relays: 16 (expected: 1..15)");
  }

  private static void refused(EstimateRequest.Builder builder, String message) {
    assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
  }
}
