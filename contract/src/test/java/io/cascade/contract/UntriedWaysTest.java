package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.model.planning.AchievedRate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A way that nobody tried has bounds and no estimate: what CUBIC achieved over a lossy path says
 * nothing of what BBR or several connections would.
 */
class UntriedWaysTest {
  private static final long BYTES = 20_000_000;
  private static final double SEEN = 3.5e6;

  /** 160 ms with 0.5 % of loss, over which CUBIC was seen to carry 3.5 Mbit/s. */
  private static final LinkEstimate LOSSY =
      new LinkEstimate(
          Duration.ofMillis(160), new LossEstimate(20, 4_000), new Capacity.AtLeast(SEEN));

  private static final LinkEstimate CUBIC_TRIED =
      LOSSY.withAchieved(new AchievedRate(CongestionControl.CUBIC, SEEN, 20));

  @Test
  void whatAnotherControlAchievedIsTheLeastThatBbrDoes() {
    Candidate bbr = candidate(plan(CUBIC_TRIED), CandidateKind.DIRECT_BBR);

    assertThat(bbr.evidence()).isEqualTo(RateEvidence.BOUND);
    assertThat(bbr.bitsPerSecond()).isNull();
    assertThat(bbr.seconds()).isNull();
    assertThat(bbr.bitsPerSecondLow()).isBetween(0.85 * SEEN, SEEN);
    assertThat(bbr.hops()).allMatch(hop -> hop.bitsPerSecond() == null);
  }

  @Test
  void severalConnectionsWereNotTriedEither() {
    Candidate parallel = candidate(plan(CUBIC_TRIED), CandidateKind.PARALLEL_DIRECT);

    assertThat(parallel.evidence()).isEqualTo(RateEvidence.BOUND);
    assertThat(parallel.bitsPerSecond()).isNull();
  }

  @Test
  void whatWasTriedIsMeasured() {
    assertThat(candidate(plan(CUBIC_TRIED), CandidateKind.DIRECT).evidence())
        .isEqualTo(RateEvidence.MEASURED);
    Candidate bbr =
        candidate(
            plan(CUBIC_TRIED.withAchieved(new AchievedRate(CongestionControl.BBR, SEEN, 0))),
            CandidateKind.DIRECT_BBR);
    assertThat(bbr.evidence()).isEqualTo(RateEvidence.MEASURED);
    assertThat(bbr.bitsPerSecond()).isNotNull();
  }

  /** BBR sends near the capacity in spite of such losses, not at what they leave CUBIC. */
  @Test
  void whereTheCapacityIsKnownBbrIsPredictedFromIt() {
    Candidate bbr =
        candidate(
            plan(CUBIC_TRIED.withCapacity(new Capacity.Known(100e6))), CandidateKind.DIRECT_BBR);

    assertThat(bbr.evidence()).isEqualTo(RateEvidence.PREDICTED);
    assertThat(bbr.bitsPerSecond()).isBetween(40e6, 95e6);
  }

  @Test
  void aWayThatNothingKnownLimitsHasNoEstimate() {
    Candidate bbr =
        candidate(
            plan(CUBIC_TRIED.withCapacity(new Capacity.Unlimited())), CandidateKind.DIRECT_BBR);

    assertThat(bbr.evidence()).isEqualTo(RateEvidence.BOUND);
    assertThat(bbr.seconds()).isNull();
    assertThat(bbr.secondsHigh()).isNull();
    assertThat(bbr.bitsPerSecondLow()).isNull();
  }

  @Test
  void theHostsOwnControlIsUntriedWhereAnotherOneWasSeen() {
    assertThat(candidate(plan(LOSSY, CongestionControl.BBR), CandidateKind.DIRECT).evidence())
        .isEqualTo(RateEvidence.BOUND);
  }

  @Test
  void aNoteTellsWhatIsUntriedAndWhatHoldsItBack() {
    assertThat(plan(CUBIC_TRIED).notes())
        .anyMatch(note ->
            note.matches(
                "Untried: direct, 4 connections, at least \\d\\.\\d+ Mbit/s; direct with bbr, at least"
                    + " \\d\\.\\d+ Mbit/s, near the path's capacity, since such losses .*"));
  }

  /**
   * Without a single loss CUBIC's rate has no bound worth a number, nor the loss one worth two
   * digits.
   */
  @Test
  void aLosslessPathHasNoAbsurdBounds() {
    LinkEstimate lossless = LinkEstimate.of(Duration.ofMillis(160), new LossEstimate(0, 4_000));
    Topology topology = Topology.builder().link("s", "d", lossless).build();
    Plan plan =
        new PlanDocument(topology, (_, _) -> false)
            .of(
                new RoutePlanner().plan(topology, RouteQuestion.between("s", "d").build()),
                "d:1",
                null,
                List.of(),
                Instant.EPOCH,
                null);

    assertThat(candidate(plan, CandidateKind.DIRECT).bitsPerSecondHigh()).isNull();
    assertThat(plan.why()).contains("and no loss in 4000 packets").doesNotContain("a loss of");
  }

  private static Plan plan(LinkEstimate direct) {
    return plan(direct, CongestionControl.CUBIC);
  }

  private static Plan plan(LinkEstimate direct, CongestionControl control) {
    Topology topology = Topology.builder().link("s", "d", direct).build();
    RouteQuestion request =
        RouteQuestion.between("s", "d")
            .bytes(BYTES)
            .congestionControl(control, CongestionControl.CUBIC)
            .build();
    return new PlanDocument(topology, (_, _) -> false)
        .of(
            new RoutePlanner().plan(topology, request),
            "d:1",
            BYTES,
            List.of(),
            Instant.EPOCH,
            null);
  }

  private static Candidate candidate(Plan plan, CandidateKind kind) {
    return plan.candidates().stream().filter(one -> one.kind() == kind).findFirst().orElseThrow();
  }
}
