package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.WayComparison;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Plans that stay undecided by links, and are decided by tests of both ways in pairs. */
class ComparedPlansTest {
  private static final String THERE = "192.0.2.7";
  private static final long MOST_BYTES = 4 << 20;
  private static final Duration BETWEEN_BEATS = Duration.ofMillis(500);

  private final ManualTime time = ManualTime.running();

  @SuppressWarnings("NullAway.Init")
  private Rig rig;

  @SuppressWarnings("NullAway.Init")
  private FakeRelay near;

  @SuppressWarnings("NullAway.Init")
  private FakeRelay mid;

  @SuppressWarnings("NullAway.Init")
  private FakeRelay there;

  /** Near the source, half-way, and on the destination's host; of no link a rate was seen. */
  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
    near = rig.live("near");
    mid = rig.live("mid");
    there = rig.relay("there").at(THERE).live();
    for (FakeRelay relay : rig.relays()) {
      relay.sinkRefusal = null;
      relay.probe = request -> FakeRelay.reached(request, 0, 0, 160);
    }
    probed(near, Map.of("mid", 40.0, "there", 160.0));
    probed(mid, Map.of("there", 40.0));
    await().until(() -> rig.client().links().links().size() == 3);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aFasterCascadeDecidesWhatLinksDidNot() {
    assertThat(rig.client().plan(question().compare(null).build()).decision())
        .isEqualTo(Decision.UNDECIDED);
    rates(_ -> 1e6, pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.CASCADE);
    WayComparison compared = compared(plan);
    assertThat(compared.from()).isEqualTo("near");
    assertThat(compared.relays()).containsExactly("mid");
    assertThat(compared.to()).isEqualTo("there");
    assertThat(compared.pairs()).isBetween(2, 11);
    assertThat(compared.ratio()).isBetween(2.8, 3.2);
    assertThat(compared.ratioLow()).isGreaterThan(1);
    assertThat(plan.summary())
        .startsWith("Through mid: 3 times as fast as direct (")
        .contains("by " + compared.pairs() + " pairs of tests from near to there");
    assertThat(plan.candidates())
        .filteredOn(way -> way.chosen())
        .singleElement()
        .satisfies(way -> assertThat(way.relays()).isEqualTo(plan.relays()));
  }

  /** As a stream would: through the chain's ingress, and from its last relay to the hop port. */
  @Test
  void everySecondTestGoesThroughAChainThatIsClosedAfterwards() {
    rates(_ -> 1e6, pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);

    int pairs = compared(rig.client().plan(question().build())).pairs();

    assertThat(rig.client().chains().chains())
        .singleElement()
        .satisfies(chain -> {
          assertThat(chain.name()).startsWith("compare-");
          assertThat(chain.relays()).containsExactly("mid");
          assertThat(chain.destination()).isEqualTo(THERE + ":" + there.hop().port());
          assertThat(chain.state()).isEqualTo(ChainState.CLOSED);
        });
    List<Boolean> direct = near.tests.stream().map(ComparedPlansTest::isDirect).toList();
    assertThat(direct)
        .as("one pair before, which shows how much a second takes")
        .hasSize(2 * pairs + 2);
    assertThat(direct.subList(0, 6)).containsExactly(true, false, true, false, false, true);
    assertThat(near.tests)
        .allSatisfy(test -> {
          assertThat(test.maxBytes()).isLessThanOrEqualTo(MOST_BYTES);
          assertThat(there.sinks).containsKey(test.testId());
        });
    assertThat(near.tests.getLast().maxBytes())
        .as("what the slower way carries in a second")
        .isEqualTo(131_072);
  }

  @Test
  void equalWaysAreFoundToBe() {
    rates(_ -> 5e6, pair -> pair % 2 == 0 ? 5.1e6 : 4.9e6);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.EQUAL);
    assertThat(plan.summary()).startsWith("Either, within 10 %: through mid it is 1 times as fast");
  }

  @Test
  void aSlowerCascadeDecidesForTheDirectWay() {
    rates(_ -> 5e6, pair -> pair % 2 == 0 ? 2.1e6 : 1.9e6);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.DIRECT);
    assertThat(plan.summary()).startsWith("Directly: through mid it is 0.40 times as fast");
  }

  @Test
  void whatTwelvePairsDoNotDecideStaysUndecidedAndIsNotTestedAgainAtOnce() {
    rates(_ -> 5e6, pair -> pair % 2 == 0 ? 2e6 : 15e6);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(compared(plan).pairs()).isEqualTo(12);
    assertThat(compared(plan).stoppedBecause()).isNull();
    assertThat(plan.notes())
        .anyMatch(note ->
            note.matches(
                "Compared and still undecided: through mid it was 1\\.1 times as fast as direct"
                    + " \\([0-9.]+ to [0-9.]+\\), by 12 pairs of tests from near to there\\."));
    int tests = near.tests.size();
    Plan next = rig.client().plan(question().build());
    assertThat(next.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(compared(next).pairs()).isEqualTo(12);
    assertThat(near.tests).hasSize(tests);
  }

  @Test
  void laterPlansOfTheSameWaysAreDecidedByIt() {
    rates(_ -> 1e6, pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);
    rig.client().plan(question().build());
    int tests = near.tests.size();

    Plan later = rig.client().plan(question().compare(null).build());

    assertThat(later.decision()).isEqualTo(Decision.CASCADE);
    assertThat(compared(later).ratioLow()).isGreaterThan(1);
    assertThat(near.tests).hasSize(tests);
  }

  /** What streams of tests show of links may have other controls chosen once they are over. */
  @Test
  void aCascadeThatWasFoundFasterIsTakenThoughItsRelaysSendInAnotherWayByNow() {
    rates(_ -> 1e6, pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);
    rig.client().plan(question().congestionControl("cubic").build());

    Plan later = rig.client().plan(question().congestionControl("reno").compare(null).build());

    assertThat(later.decision()).as(later.summary()).isEqualTo(Decision.CASCADE);
    assertThat(compared(later).relays()).containsExactly("mid");
    assertThat(later.summary()).startsWith("Through mid: 3 times as fast as direct (");
    assertThat(later.notes())
        .contains("In the tests relays sent with other congestion controls than planned here.");
  }

  @Test
  void nothingIsSentToADestinationWithoutARelay() {
    mid.probe = request -> FakeRelay.reached(request, 0, 0, 40);

    Plan plan = rig.client().plan(question().destination("192.0.2.8:5001").build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.comparison()).isNull();
    assertThat(plan.notes())
        .anyMatch(
            note -> note.startsWith("The ways were not compared: no relay is at the destination"));
    assertNothingWasTested();
  }

  @Test
  void nothingIsSentForASourceWithoutARelay() {
    Source host =
        Source.builder()
            .observations(
                List.of(
                    Observation.builder()
                        .to("destination")
                        .sent(50L)
                        .lost(0L)
                        .rttMillis(160.0)
                        .build(),
                    Observation.builder().to("mid").sent(50L).lost(0L).rttMillis(40.0).build()))
            .build();
    Plan plan = rig.client().plan(question().source(host).build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.notes())
        .anyMatch(note ->
            note.startsWith(
                "The ways were not compared: no relay is at the site where the traffic starts"));
    assertNothingWasTested();
  }

  @Test
  void aBudgetThatIsSpentIsNamedAndTheChainIsClosed() {
    there.sinkRefusal = FakeRelay.refusal(429, "throughput-test-refused", 600L);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.notes()).anyMatch(note -> note.startsWith("The ways were not compared: "));
    assertThat(rig.client().chains().chains())
        .extracting(Chain::state)
        .containsOnly(ChainState.CLOSED);
  }

  @Test
  void whatWasSeenBeforeARefusalIsSaid() {
    AtomicInteger tests = new AtomicInteger();
    near.throughput =
        test ->
            tests.incrementAndGet() > 5
                ? FakeRelay.refusal(409, "throughput-test-refused", null)
                : FakeRelay.report(test, isDirect(test) ? 1e6 : 3e6, 300, 1, 160);

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(compared(plan).pairs()).isEqualTo(1);
    assertThat(compared(plan).ratioLow()).isNull();
    assertThat(compared(plan).stoppedBecause()).contains("not now");
    assertThat(plan.notes()).anyMatch(note -> note.contains("by one pair of tests"));
  }

  @Test
  void shortTestsDecideNoLongTransfer() {
    AtomicInteger tests = new AtomicInteger();
    near.throughput =
        test ->
            FakeRelay.report(
                    test, isDirect(test) ? 1e6 : 3e6 + tests.incrementAndGet() * 1e3, 300, 1, 160)
                .toBuilder()
                .bytes(1_048_576L)
                .seconds(0.3)
                .build();

    Plan plan = rig.client().plan(question().build());

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(compared(plan).decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.notes())
        .anyMatch(note -> note.startsWith("Through mid: 3 times as fast as direct ("))
        .contains("Compared over 1.0 MiB only: a longer transfer may differ.");

    Plan shorter = rig.client().plan(question().bytes(8_388_608L).build());
    assertThat(shorter.decision()).as(shorter.summary()).isEqualTo(Decision.CASCADE);
    assertThat(shorter.notes()).noneMatch(note -> note.startsWith("Compared over"));
  }

  @Test
  void aPairBeginsOnlyIfItIsOverInTime() {
    AtomicBoolean opened = new AtomicBoolean();
    mid.beforeAnswer =
        () -> {
          if (opened.compareAndSet(false, true)) {
            pass(Duration.ofSeconds(12));
          }
        };
    near.throughput =
        test -> {
          pass(Duration.ofSeconds(4));
          return FakeRelay.report(
              test, isDirect(test) ? 1e6 : near.tests.size() * 1e6, 300, 1, 160);
        };

    Plan plan = rig.client().plan(question().build());

    assertThat(near.tests).as("12 s, and 8 s of each pair").hasSize(4);
    assertThat(compared(plan).pairs()).as("beside the one that finds the size").isEqualTo(1);
    assertThat(compared(plan).stoppedBecause()).contains("might take more than 45 s");
  }

  @Test
  void aChainThatCannotBeClosedNowLosesNoResult() {
    JdbcClient db = rig.orchestrator().bean(JdbcClient.class);
    rates(
        test -> {
          if (test == 0) {
            db.sql("alter table chain rename to elsewhere").update();
          }
          return 1e6;
        },
        pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);

    Plan plan = rig.client().plan(question().build());
    db.sql("alter table elsewhere rename to chain").update();

    assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.CASCADE);
  }

  @Test
  void theAuditTrailTellsOfAComparisonAndOfNoOtherPlan() {
    rates(_ -> 1e6, pair -> pair % 2 == 0 ? 2.9e6 : 3.1e6);
    rig.client().plan(question().compare(null).build());
    rig.client().plan(question().build());

    UUID chain = rig.client().chains().chains().getFirst().id();
    await()
        .untilAsserted(() ->
            assertThat(rig.client().audit(null, 100).entries())
                .filteredOn(entry -> entry.operation().equals("plan"))
                .singleElement()
                .satisfies(entry -> {
                  assertThat(entry.target()).isEqualTo(chain.toString());
                  assertThat(entry.outcome()).isEqualTo(200);
                }));
  }

  /** Time passes while relays beat, so that none is lost. */
  private void pass(Duration length) {
    for (Duration left = length; left.isPositive(); left = left.minus(BETWEEN_BEATS)) {
      time.pass(BETWEEN_BEATS);
      rig.relays().forEach(FakeRelay::beat);
    }
  }

  private void assertNothingWasTested() {
    assertThat(near.tests).isEmpty();
    assertThat(there.sinks).isEmpty();
    assertThat(rig.client().chains().chains()).isEmpty();
  }

  /** Rates of both ways by the number of the test each way. */
  private void rates(IntToDoubleFunction direct, IntToDoubleFunction cascade) {
    AtomicInteger directly = new AtomicInteger();
    AtomicInteger cascaded = new AtomicInteger();
    near.throughput =
        test ->
            FakeRelay.report(
                test,
                isDirect(test)
                    ? direct.applyAsDouble(directly.getAndIncrement())
                    : cascade.applyAsDouble(cascaded.getAndIncrement()),
                300,
                1,
                160);
  }

  private static boolean isDirect(ThroughputTest test) {
    return test.to().host().equals(THERE);
  }

  private static WayComparison compared(Plan plan) {
    return Objects.requireNonNull(plan.comparison(), plan.notes()::toString);
  }

  private static PlanRequest.Builder question() {
    return PlanRequest.builder()
        .destination(THERE + ":5001")
        .bytes(60_000_000L)
        .source(Source.builder().relay("near").congestionControl("cubic").build())
        .avoid(List.of("there"))
        .measureSeconds(0.0)
        .compare(true);
  }

  private static void probed(FakeRelay from, Map<String, Double> peers) {
    peers.forEach((to, rtt) -> from.links.add(Rig.measured(to, 10_000, 0, rtt)));
    from.beat();
    from.links.clear();
  }
}
