package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Plans on what a network's own measurements show of it: throughput tests of five seconds with some
 * dozens of losses at most, and connection attempts where nothing else was measured. What was
 * measured of the transfers afterwards stands at each test.
 */
class MeasuredInputsTest {

  private static final double SHARE = Framing.ETHERNET_1500.payloadShare();

  private final RoutePlanner planner = new RoutePlanner();

  /** Direct 59.0 s, through den and sea 13.7 s: 4.3 times as fast. */
  @Test
  void cubicOverThreeLossyLinksTakesTheRelaysForTwelveMegabytes() {
    RouteAnswer plan = planner.plan(threeLinks(direct()), cubic(12_000_000));
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("den", "sea");
    assertGain(plan, 59.0 / 13.7);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).low()).isLessThan(59);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).high()).isGreaterThan(59);
    assertThat(seconds(plan, Candidate.Kind.CASCADE).low()).isLessThan(13.7);
    assertThat(seconds(plan, Candidate.Kind.CASCADE).high()).isGreaterThan(13.7);
  }

  /** Direct 366 s, through den and sea 84.4 s: 4.3 times as fast. */
  @Test
  void cubicOverThreeLossyLinksTakesTheRelaysForSixtyMebibytes() {
    RouteAnswer plan = planner.plan(threeLinks(direct()), cubic(60L << 20));
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertGain(plan, 366 / 84.4);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).high()).isGreaterThan(366);
    assertThat(seconds(plan, Candidate.Kind.CASCADE).high()).isGreaterThan(84.4);
  }

  /** The direct path by connection attempts alone: losses bound it, nothing more is known. */
  @Test
  void connectionAttemptsGiveTheDirectPathNoRate() {
    LinkEstimate attempted =
        new LinkEstimate(
            Duration.ofMillis(160), LossEstimate.ofExchanges(1, 50), new Capacity.AtLeast(0));
    RouteAnswer plan = planner.plan(threeLinks(attempted), cubic(12_000_000));
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    Prediction direct =
        plan.candidate(Candidate.Kind.DIRECT).orElseThrow().prediction().orElseThrow();
    assertThat(direct.hasLikelyRate()).isFalse();
    assertThat(direct.goodputBitsPerSecond().low()).isZero();
    assertThat(plan.gain().orElseThrow().high()).isInfinite();
    assertThat(plan.probabilityCascadeWins()).isEmpty();
    assertThat(plan.measureNext())
        .containsExactly(new Measurement(Measurement.Kind.CAPACITY, "s", "d", 0));
  }

  /** There are so many attempts that losses alone show what the direct path cannot reach. */
  @Test
  void lossesAloneMayDecideAgainstADirectPathOfUnknownCapacity() {
    LinkEstimate attempted =
        new LinkEstimate(
            Duration.ofMillis(160), LossEstimate.ofExchanges(50, 1_000), new Capacity.AtLeast(0));
    RouteAnswer plan = planner.plan(threeLinks(attempted), cubic(60L << 20));
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
  }

  /** Direct 6.5, one relay 11.5, two relays 26.1 Mbit/s. */
  @Test
  void renoOverAThirdOfTheLossEachTakesTwoRelays() {
    Topology topology =
        Topology.builder()
            .link("s", "d", tested(64, 3, 2_800, 6.4, CongestionControl.RENO))
            .link("s", "a", tested(21, 4, 10_700, 25.5, CongestionControl.RENO))
            .link("a", "b", tested(21, 3, 11_000, 26.5, CongestionControl.RENO))
            .link("b", "d", tested(21, 4, 10_900, 26.0, CongestionControl.RENO))
            .link("a", "d", tested(43, 4, 5_000, 11.6, CongestionControl.RENO))
            .link("s", "b", tested(43, 3, 4_900, 11.4, CongestionControl.RENO))
            .build();
    RouteQuestion request =
        RouteQuestion.between("s", "d")
            .congestionControl(CongestionControl.RENO, CongestionControl.RENO)
            .build();
    RouteAnswer plan = planner.plan(topology, request);
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("a", "b");
    assertGain(plan, 26.1 / 6.5);
    assertThat(rate(plan, Candidate.Kind.DIRECT))
        .satisfies(rate -> {
          assertThat(rate.likely()).isLessThanOrEqualTo(6.4e6 * (1 + 1e-9));
          assertThat(rate.low()).isLessThan(6.5e6);
          assertThat(rate.high()).isBetween(6.5e6, 20e6);
        });
  }

  /** Direct 29.1, one relay 29.8 Mbit/s: nothing to gain. */
  @Test
  void bbrFillsTheLinksEitherWay() {
    double byDirect = 29.1e6 / SHARE / 0.98;
    double byRelay = 29.8e6 / SHARE / 0.98;
    Topology topology =
        Topology.builder()
            .link("s", "d", filled(64, byDirect))
            .link("s", "a", filled(21, byRelay))
            .link("a", "d", filled(43, byRelay))
            .build();
    RouteAnswer plan = planner.plan(topology, bbr());
    assertThat(plan.decision()).isEqualTo(Decision.EQUAL);
    assertGain(plan, 29.8 / 29.1);
    assertThat(rate(plan, Candidate.Kind.DIRECT).likely()).isCloseTo(29.1e6, within(0.1e6));
    assertThat(rate(plan, Candidate.Kind.DIRECT).low()).isBetween(27e6, 29e6);
    assertThat(rate(plan, Candidate.Kind.DIRECT).high()).isBetween(29.2e6, 31e6);
  }

  /** What a transfer shows of a capacity is less certain than what an operator says. */
  @Test
  void aMeasuredCapacityHasAWiderIntervalThanOneThatWasSaidAndDecidesAllTheSame() {
    RouteAnswer said = planner.plan(twoLinks(new Capacity.Known(30e6)), bbr());
    RouteAnswer measured = planner.plan(twoLinks(new Capacity.Known(30e6, 0.06)), bbr());

    assertThat(ratio(rate(said, Candidate.Kind.DIRECT)))
        .isCloseTo(Math.exp(2 * 1.96 * 0.02), within(0.01));
    assertThat(ratio(rate(measured, Candidate.Kind.DIRECT)))
        .isCloseTo(Math.exp(2 * 1.96 * Math.hypot(0.02, 0.06)), within(0.01));
    assertThat(measured.decision()).isEqualTo(Decision.EQUAL);
  }

  private static Topology twoLinks(Capacity capacity) {
    return Topology.builder()
        .link("s", "d", filled(64, 1).withCapacity(capacity))
        .link("s", "a", filled(21, 1).withCapacity(capacity))
        .link("a", "d", filled(43, 1).withCapacity(capacity))
        .build();
  }

  private static double ratio(Interval rate) {
    return rate.high() / rate.low();
  }

  /** No loss moves BBR, so that without a test there is no rate at all, in place of 957 Mbit/s. */
  @Test
  void bbrOverUnseenLinksHasNoRate() {
    Topology topology =
        Topology.builder()
            .link("s", "d", attempted(64))
            .link("s", "a", attempted(30))
            .link("a", "d", attempted(36))
            .build();
    RouteAnswer plan = planner.plan(topology, bbr());
    assertThat(plan.decision()).as("nothing shows otherwise").isEqualTo(Decision.DIRECT);
    assertThat(plan.candidates())
        .allMatch(one -> one.prediction().filter(Prediction::hasLikelyRate).isEmpty());
  }

  /** Direct 15.4 s, through r1 and r3 6.6 s. The direct test met one loss. */
  @Test
  void oneLossBoundsADirectPathThatIsPlainlySlower() {
    Topology topology =
        Topology.builder()
            .link("s", "d", tested(146, 1, 3_980, 11, CongestionControl.RENO))
            .link("s", "r1", renoFilled(21, 1, 5_180, 24.2))
            .link("r1", "r3", renoFilled(40, 0, 7_938, 72.9))
            .link("r3", "d", tested(139, 1, 10_330, 63, CongestionControl.RENO))
            .build();
    RouteAnswer plan = planner.plan(topology, reno(17_384_677));
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).low()).isBetween(4.0, 15.4);
    assertGain(plan, 15.4 / 6.6);
  }

  /** Direct 14.5 s, through r1 14.8 s: both fill the same 44 Mbit/s. */
  @Test
  void waysThatBothFillTheLinkGainNothing() {
    Topology topology =
        Topology.builder()
            .link("s", "d", renoFilled(24, 3, 23_400, 44))
            .link("s", "r1", renoFilled(20, 5, 24_170, 44))
            .link("r1", "d", tested(5, 149, 36_343, 41.5, CongestionControl.RENO))
            .build();
    RouteAnswer plan = planner.plan(topology, reno(71_999_870));
    assertThat(plan.decision()).isEqualTo(Decision.EQUAL);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).low()).isBetween(12.0, 14.5);
    assertThat(seconds(plan, Candidate.Kind.DIRECT).high()).isBetween(14.5, 16.0);
    assertThat(seconds(plan, Candidate.Kind.CASCADE).high()).isBetween(14.8, 16.0);
  }

  /** BBR that filled a link says nothing of what losses leave CUBIC there. */
  @Test
  void aLinkThatAnotherCongestionControlFilledStillHasItsLosses() {
    LinkEstimate link =
        filled(103, 31.2e6).withAchieved(new AchievedRate(CongestionControl.BBR, 29e6, 0));
    Interval cubic = rate(plan(link, cubic(60L << 20)), Candidate.Kind.DIRECT);
    assertThat(cubic.likely()).isLessThan(10e6);
  }

  @Test
  void aRateThatWasSeenIsTheLeastAndNothingIsPromisedBeyondIt() {
    Topology topology =
        Topology.builder()
            .link("s", "d", seen(40))
            .link("s", "a", seen(20))
            .link("a", "d", seen(21))
            .build();
    RouteAnswer plan = planner.plan(topology, bbr());
    Prediction direct =
        plan.candidate(Candidate.Kind.DIRECT).orElseThrow().prediction().orElseThrow();
    assertThat(direct.knowledge()).isEqualTo(Prediction.Knowledge.AT_LEAST);
    assertThat(direct.goodputBitsPerSecond().likely()).isLessThanOrEqualTo(20e6 * SHARE);
    assertThat(direct.goodputBitsPerSecond().high()).isInfinite();
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
  }

  private static LinkEstimate attempted(long rttMillis) {
    return new LinkEstimate(
        Duration.ofMillis(rttMillis), LossEstimate.ofExchanges(0, 50), new Capacity.AtLeast(0));
  }

  private static LinkEstimate seen(long rttMillis) {
    return new LinkEstimate(
        Duration.ofMillis(rttMillis), new LossEstimate(0, 20_000), new Capacity.AtLeast(20e6));
  }

  /** One relay's links were tested, the other one's not, and its losses look a little better. */
  @Test
  void theBestCascadeIsOneThatWasSeenToCarrySomething() {
    Topology topology =
        Topology.builder()
            .link("s", "d", tested(160, 30, 5_000, 1.4))
            .link("s", "a", tested(80, 5, 5_000, 5.0))
            .link("a", "d", tested(80, 5, 5_000, 5.0))
            .link("s", "b", unseen(80, 1, 5_000))
            .link("b", "d", unseen(80, 1, 5_000))
            .build();
    RouteAnswer plan = planner.plan(topology, cubic(60L << 20));
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.route().relays()).containsExactly("a");
    assertThat(plan.relayValues()).allMatch(value -> value.best().hasLikelyRate());
  }

  /** The tested relay is no better than the direct path; the other one may be. */
  @Test
  void aCascadeThatNobodyTestedKeepsTheDecisionOpen() {
    Topology topology =
        Topology.builder()
            .link("s", "d", tested(80, 50, 50_000, 5.0))
            .link("s", "a", tested(160, 300, 50_000, 1.4))
            .link("a", "d", tested(160, 300, 50_000, 1.4))
            .link("s", "b", unseen(20, 5, 50_000))
            .link("b", "d", unseen(20, 5, 50_000))
            .build();
    RouteAnswer plan = planner.plan(topology, cubic(60L << 20));
    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.route().isDirect()).isTrue();
    assertThat(plan.measureNext())
        .containsExactly(
            new Measurement(Measurement.Kind.CAPACITY, "s", "b", 0),
            new Measurement(Measurement.Kind.CAPACITY, "b", "d", 0));
  }

  /**
   * With a correction learned from a test, the model's error on the link shrinks and with it the
   * interval.
   */
  @Test
  void whatWasLearnedNarrowsTheInterval() {
    LinkEstimate link = tested(40, 100, 50_000, 7);
    RouteQuestion request = RouteQuestion.between("s", "d").build();
    Interval before = rate(plan(link, request), Candidate.Kind.DIRECT);
    Interval after =
        rate(
            plan(
                link.withLearned(CongestionControl.CUBIC, new LearnedCorrection(1, 9, 9)), request),
            Candidate.Kind.DIRECT);
    assertThat(after.likely()).isEqualTo(before.likely());
    assertThat(after.low()).isGreaterThan(before.low());
    assertThat(after.high()).isLessThan(before.high());
  }

  private RouteAnswer plan(LinkEstimate direct, RouteQuestion request) {
    return planner.plan(Topology.builder().link("s", "d", direct).build(), request);
  }

  private static void assertGain(RouteAnswer plan, double measured) {
    Interval gain = plan.gain().orElseThrow();
    assertThat(gain.low()).isLessThan(measured);
    assertThat(gain.high()).isGreaterThan(measured).isLessThan(4 * measured);
    assertThat(gain.likely()).isBetween(measured / 1.4, measured * 1.4);
  }

  private static Interval seconds(RouteAnswer plan, Candidate.Kind kind) {
    return candidate(plan, kind).transferSeconds().orElseThrow();
  }

  private static Interval rate(RouteAnswer plan, Candidate.Kind kind) {
    return candidate(plan, kind).goodputBitsPerSecond();
  }

  private static Prediction candidate(RouteAnswer plan, Candidate.Kind kind) {
    Candidate found =
        kind == Candidate.Kind.CASCADE
            ? plan.bestCascade().orElseThrow()
            : plan.candidate(kind).orElseThrow();
    return found.prediction().orElseThrow();
  }

  /** 40, 40 and 80 ms with 0.2, 0.2 and 0.1 % of loss, each tested for five seconds. */
  private static Topology threeLinks(LinkEstimate direct) {
    return Topology.builder()
        .link("s", "d", direct)
        .link("s", "den", tested(40, 6, 3_300, 7.6))
        .link("den", "sea", tested(40, 7, 3_400, 7.8))
        .link("sea", "d", tested(80, 3, 2_900, 6.6))
        .link("s", "sea", tested(80, 8, 1_900, 3.3))
        .link("den", "d", tested(120, 5, 1_500, 2.6))
        .build();
  }

  private static LinkEstimate direct() {
    return tested(160, 4, 750, 1.65);
  }

  /** Losses of data segments, and the rate that was seen. */
  private static LinkEstimate tested(long rttMillis, long lost, long sent, double megabits) {
    return tested(rttMillis, lost, sent, megabits, CongestionControl.CUBIC);
  }

  private static LinkEstimate tested(
      long rttMillis, long lost, long sent, double megabits, CongestionControl control) {
    return new LinkEstimate(
            Duration.ofMillis(rttMillis),
            new LossEstimate(lost, sent),
            new Capacity.AtLeast(megabits * 1e6 / SHARE))
        .withAchieved(new AchievedRate(control, megabits * 1e6, lost));
  }

  /** Reno stood in the link's queue. */
  private static LinkEstimate renoFilled(long rttMillis, long lost, long sent, double megabits) {
    return new LinkEstimate(
            Duration.ofMillis(rttMillis),
            new LossEstimate(lost, sent),
            new Capacity.Known(megabits * 1e6))
        .withAchieved(new AchievedRate(CongestionControl.RENO, megabits * 1e6 * SHARE, lost));
  }

  private static RouteQuestion reno(long bytes) {
    return RouteQuestion.between("s", "d")
        .bytes(bytes)
        .congestionControl(CongestionControl.RENO, CongestionControl.RENO)
        .build();
  }

  private static LinkEstimate unseen(long rttMillis, long lost, long sent) {
    return new LinkEstimate(
        Duration.ofMillis(rttMillis), new LossEstimate(lost, sent), new Capacity.AtLeast(0));
  }

  private static LinkEstimate filled(long rttMillis, double bitsPerSecond) {
    return new LinkEstimate(
        Duration.ofMillis(rttMillis),
        new LossEstimate(10, 10_000),
        new Capacity.Known(bitsPerSecond));
  }

  private static RouteQuestion cubic(long bytes) {
    return RouteQuestion.between("s", "d").bytes(bytes).build();
  }

  private static RouteQuestion bbr() {
    return RouteQuestion.between("s", "d")
        .congestionControl(CongestionControl.BBR, CongestionControl.BBR)
        .build();
  }
}
