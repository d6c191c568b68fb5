package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.ClientTestRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.relay.PacketDelay;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Throughput tests between relays, by hand and for plans, and what they make of links. */
class LinkTestsTest {
  private static final LinkTestRequest USUAL = LinkTestRequest.builder().build();
  private static final String THERE = "192.0.2.7";

  @SuppressWarnings("NullAway.Init")
  private Rig rig;

  private final Map<String, FakeRelay> relays = new HashMap<>();

  /** Probes of every link. */
  private long probes = 10_000;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void oneByHandShowsRateAndLossesAndBecomesEvidence() {
    FakeRelay r1 = relay("r1");
    FakeRelay r2 = relay("r2");
    probed("r1", "r2", 20);
    r1.throughput = test -> FakeRelay.report(test, 9.4e6, 3_300, 6, 20.5);

    LinkTest result = rig.client().testLink("r1", "r2", new LinkTestRequest("reno", 1L << 20, 2.0));

    assertThat(result.bitsPerSecond()).isEqualTo(9.4e6);
    assertThat(result.retransmittedSegments()).isEqualTo(6);
    assertThat(result.congestionControl()).isEqualTo("reno");
    ThroughputTest asked = r1.tests.getFirst();
    assertThat(asked.peer()).isEqualTo("r2");
    assertThat(asked.to().port()).isEqualTo(r2.hop().port());
    assertThat(asked.maxBytes()).isEqualTo(1L << 20);
    assertThat(asked.maxSeconds()).isEqualTo(2);
    ThroughputSink sink = Objects.requireNonNull(r2.sinks.get(asked.testId()));
    assertThat(sink.from()).isEqualTo("r1");
    assertThat(sink.key()).isEqualTo(asked.key());

    Link link = rig.client().links().links().getFirst();
    assertThat(link.capacityKind()).isEqualTo(CapacityKind.AT_LEAST);
    assertThat(link.capacityBitsPerSecond()).isCloseTo(9_984_254L, within(2L));
    assertThat(link.lossRate()).isEqualTo(6.5 / 3_301, within(1e-5));
    LinkEvidence evidence = evidence(link, EvidenceSource.TEST);
    assertThat(evidence.count()).isEqualTo(1);
    assertThat(evidence.sent()).isEqualTo(3_300, within(5.0));
    assertThat(evidence.lost()).isEqualTo(6, within(0.1));
    assertThat(evidence.bitsPerSecond()).isEqualTo(9.4e6);
    assertThat(evidence.congestionControl()).isEqualTo("reno");
    assertThat(evidence.ageSeconds()).isNotNegative();
    assertThat(evidence(link, EvidenceSource.PROBE).sent()).isEqualTo(10_000);
    assertThat(rig.client().corrections().corrections())
        .singleElement()
        .satisfies(learned -> assertThat(learned.congestionControl()).isEqualTo("reno"));
  }

  @Test
  void aQueueUnderTheTestMakesTheCapacityKnown() {
    relay("r1").throughput = test -> FakeRelay.report(test, 28e6, 10_000, 40, 45);
    relay("r2");

    Link link = rig.client().testLink("r1", "r2", USUAL).link();

    assertThat(link.capacityKind()).isEqualTo(CapacityKind.KNOWN);
    assertThat(link.capacityBitsPerSecond()).isCloseTo(29_740_000L, within(5_000L));
    assertThat(link.lossRate()).as("its own losses are not the link's").isLessThan(0.001);
  }

  @Test
  void aTrainIsEvidenceOfBothDirections() {
    FakeRelay r1 = relay("r1");
    FakeRelay r2 = relay("r2");
    r1.train = train -> trained(train, 40, 20, 0.2);

    LinkTrain result = rig.client().sendTrain("r1", "r2", new LinkTrainRequest(4_000, 5_000_000L));

    assertThat(result.packets()).isEqualTo(4_000);
    assertThat(result.there().lost()).isEqualTo(40);
    assertThat(result.back().sent()).isEqualTo(3_960);
    assertThat(result.back().lost()).isEqualTo(20);
    assertThat(result.there().stoodInQueue()).isFalse();
    assertThat(r2.reflections.values())
        .singleElement()
        .satisfies(train -> assertThat(train.packets()).isEqualTo(4_000));
    Link there = result.there().link();
    assertThat(there.from()).isEqualTo("r1");
    assertThat(there.lossRate()).isEqualTo(0.01, within(1e-3));
    assertThat(there.capacityKind()).isEqualTo(CapacityKind.AT_LEAST);
    assertThat(there.capacityBitsPerSecond())
        .as("4.9 Mbit/s of UDP payload, with its headers")
        .isCloseTo(5_119_700L, within(500L));
    LinkEvidence evidence = evidence(there, EvidenceSource.TRAIN);
    assertThat(evidence.count()).isEqualTo(1);
    assertThat(evidence.sent()).isEqualTo(4_000, within(1.0));
    assertThat(evidence.congestionControl()).isNull();
    assertThat(result.back().link().from()).isEqualTo("r2");
    assertThat(result.back().link().lossRate()).isEqualTo(0.005, within(1e-3));
  }

  @Test
  void lossesOfATrainThatStoodInAQueueAreNotTheLinks() {
    relay("r1").train = train -> trained(train, 400, 0, 30);
    relay("r2");

    LinkTrain result =
        rig.client().sendTrain("r1", "r2", LinkTrainRequest.builder().packets(4_000).build());

    assertThat(result.there().stoodInQueue()).isTrue();
    assertThat(result.there().lost()).isEqualTo(400);
    assertThat(evidence(result.there().link(), EvidenceSource.TRAIN).sent()).isZero();
    assertThat(result.there().link().lossRate()).isNull();
    assertThat(result.back().stoodInQueue()).isFalse();
  }

  @Test
  void aTrainThatFailsSaysWhy() {
    relay("r1").train = _ -> FakeRelay.refusal(502, "throughput-test-failed", null);
    relay("r2");
    assertThatThrownBy(() -> rig.client().sendTrain("r1", "r2", LinkTrainRequest.builder().build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(502));
    assertThatThrownBy(() -> rig.client().sendTrain("r1", "r1", LinkTrainRequest.builder().build()))
        .hasMessageContaining("expected: two relays");
  }

  @Test
  void aTrainThatWouldTakeTooLongIsTheAskersMistakeAndNoRelaySeesIt() {
    FakeRelay r1 = relay("r1");
    FakeRelay r2 = relay("r2");
    r1.train = train -> trained(train, 0, 0, 0.2);

    assertThatThrownBy(
            () -> rig.client().sendTrain("r1", "r2", new LinkTrainRequest(1_000, 64_000L)))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(400))
        .hasMessageContaining("1000 packets at 64000 bit/s take longer than 30 s");
    assertThat(r2.reflections).isEmpty();
  }

  private static PacketTrainReport trained(
      PacketTrain train, int lostThere, int lostBack, double delayMillis) {
    return PacketTrainReport.builder()
        .packets(train.packets())
        .packetBytes(1_472)
        .seconds(4.0)
        .sentBitsPerSecond(5e6)
        .lostThere(lostThere)
        .reflected(train.packets() - lostThere)
        .lostBack(lostBack)
        .minRttMillis(20.0)
        .delayThere(new PacketDelay(delayMillis, 2 * delayMillis))
        .delayBack(new PacketDelay(0.1, 0.2))
        .receivedThereBitsPerSecond(4.9e6)
        .receivedBackBitsPerSecond(4.8e6)
        .endedBy(PacketTrainEnd.PACKETS)
        .build();
  }

  @Test
  void whatWasShownOutlivesTheOrchestrator() {
    relay("r1").throughput = test -> FakeRelay.report(test, 28e6, 10_000, 40, 45);
    relay("r2");
    rig.client().testLink("r1", "r2", USUAL);
    rig.stop();
    rig.startAgain();

    Link link = rig.client().links().links().getFirst();
    assertThat(link.capacityKind()).isEqualTo(CapacityKind.KNOWN);
    assertThat(evidence(link, EvidenceSource.TEST).count()).isEqualTo(1);
  }

  @Test
  void refusalsAndFailuresAreProblemsThatSayWhy() {
    FakeRelay r1 = relay("r1");
    FakeRelay r2 = relay("r2");
    assertProblem("r1", "r9", 404, "unknown-relay");
    assertProblem("r1", "r1", 400, "invalid-request");
    r2.sinkRefusal = FakeRelay.refusal(429, "throughput-test-refused", 120L);
    assertProblem("r1", "r2", 429, "throughput-budget-spent");
    r2.sinkRefusal = FakeRelay.refusal(409, "throughput-test-refused", null);
    assertProblem("r1", "r2", 409, "throughput-test-refused");
    r2.sinkRefusal = null;
    r1.throughput = _ -> FakeRelay.refusal(502, "throughput-test-failed", null);
    assertProblem("r1", "r2", 502, "throughput-test-failed");
    assertThat(rig.client().links().links()).isEmpty();
  }

  @Test
  void aRelayReceivesATestFromAClient() {
    FakeRelay r1 = relay("r1");

    ClientTest test = rig.client().openClientTest("r1", new ClientTestRequest(1L << 20, 2.0));

    ThroughputSink sink = Objects.requireNonNull(r1.sinks.get(test.testId()));
    assertThat(sink.key()).isEqualTo(test.key());
    assertThat(sink.maxBytes()).isEqualTo(1L << 20).isEqualTo(test.maxBytes());
    assertThat(sink.maxSeconds()).isEqualTo(2.0);
    assertThat(test.port()).isEqualTo(r1.hop().port());

    r1.sinkRefusal = FakeRelay.refusal(409, "throughput-test-refused", null);
    assertThatThrownBy(() -> rig.client().openClientTest("r1", ClientTestRequest.builder().build()))
        .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.status()).isEqualTo(409))
        .hasMessageContaining("r1: not now");
  }

  @Test
  void aPlanWaitsForTestsThatDecide() {
    threeRelays();
    Plan plan = rig.client().plan(plan(30.0));

    assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.CASCADE);
    assertThat(plan.relays()).contains("mid");
    Candidate direct = candidate(plan, CandidateKind.DIRECT);
    assertThat(direct.bitsPerSecond()).isPositive().isLessThanOrEqualTo(1.5e6);
    assertThat(direct.bitsPerSecondLow()).isNotNull();
  }

  @Test
  void aPlanThatDoesNotWaitSaysWhatIsMissingAndHasItTested() {
    threeRelays();
    Plan first = rig.client().plan(plan(null));

    assertThat(first.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(candidate(first, CandidateKind.DIRECT).bitsPerSecond()).isNull();
    assertThat(candidate(first, CandidateKind.DIRECT).bitsPerSecondLow()).isNull();
    assertThat(candidate(first, CandidateKind.DIRECT).hops().getFirst().capacityKind())
        .isEqualTo(CapacityKind.UNKNOWN);
    assertThat(first.summary()).contains("too little was measured");
    assertThat(first.notes()).asString().contains("a throughput test of source");
    await().until(() -> rig.client().plan(plan(null)).decision() == Decision.CASCADE);
  }

  /** Whoever asked sends next, and a test of the same path would be beside that. */
  @Test
  void testsThatHaveNotBegunWhenThePlanIsMadeAreLeftOut() {
    threeRelays();
    FakeRelay near = Objects.requireNonNull(relays.get("near"));
    Function<ThroughputTest, Object> report = near.throughput;
    CompletableFuture<Object> go = new CompletableFuture<>();
    near.throughput = test -> go.thenApply(_ -> report.apply(test)).join();
    rig.client().plan(plan(0.5));
    await().until(() -> tests() == 1);

    go.complete(near);

    // The relays are free again only after the queue was looked at.
    await()
        .ignoreExceptionsInstanceOf(ProblemException.class)
        .until(() -> rig.client().testLink("near", "there", USUAL).bytes() > 0);
    assertThat(tests()).as("the first one and the one by hand").isEqualTo(2);
  }

  @Test
  void theEndOfATransferThatWasPlannedInAHurryBringsTheTestsThatDecideTheNextPlan() {
    threeRelays();
    Plan first = rig.client().plan(plan(0.0));
    assertThat(first.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(tests()).as("none while the transfer runs").isZero();

    rig.client()
        .report(
            TransferReport.builder()
                .destination(THERE + ":5001")
                .bytes(60_000_000L)
                .bitsPerSecond(1e6)
                .build());

    await().until(() -> rig.client().plan(plan(0.0)).decision() == Decision.CASCADE);
  }

  @Test
  void aChainBesideTheDirectWayIsLedWhereNoRateWasSeenIfThatMayBeClearlyFaster() {
    slowRelayIsSeen(3e6);

    assertThat(opened(false)).containsExactly("slow");
    assertThat(opened(true)).endsWith("mid");
  }

  /** All streams of a proxy would go there, and none directly. */
  @Test
  void aProxysStreamsAreNotLedWhereNoRateWasSeenOnceThePlanIsDecided() {
    slowRelayIsSeen(8e6);
    FakeRelay near = Objects.requireNonNull(relays.get("near"));
    Objects.requireNonNull(relays.get("there")).probe = FakeRelay::refused;

    RouteAnswer answer =
        rig.client()
            .route(
                "near",
                RouteQuestion.builder()
                    .instance(near.instance())
                    .destination(THERE + ":5001")
                    .build());

    assertThat(answer.trial()).isNull();
    assertThat(rig.client().chain(Objects.requireNonNull(answer.chainId())).relays())
        .containsExactly("near", "slow");
  }

  /** Besides one half-way of which no rate was seen. */
  private void slowRelayIsSeen(double bitsPerSecond) {
    threeRelays();
    relay("slow").throughput = test -> FakeRelay.report(test, bitsPerSecond, 4_000, 4, 20.4);
    FakeRelay near = Objects.requireNonNull(relays.get("near"));
    near.throughput =
        test ->
            test.peer().equals("there")
                ? FakeRelay.report(test, 1.5e6, 700, 6, 20.4)
                : FakeRelay.report(test, bitsPerSecond, 4_000, 4, 20.4);
    Objects.requireNonNull(relays.get("slow")).probe =
        request -> FakeRelay.reached(request, 0, 0, 160);
    probed("near", Map.of("slow", 80.0));
    probed("slow", Map.of("there", 80.0));
    await().until(() -> rig.client().links().links().size() == 5);
    rig.client().testLink("near", "there", USUAL);
    rig.client().testLink("near", "slow", USUAL);
    rig.client().testLink("slow", "there", USUAL);
  }

  private List<String> opened(boolean trial) {
    PlanRequest question = plan(0.0).toBuilder().trial(trial).build();
    ChainRequest request =
        ChainRequest.builder()
            .destination(question.destination())
            .avoid(question.avoid())
            .bytes(question.bytes())
            .source(question.source())
            .question(question)
            .build();
    return rig.client().open(request, null).relays();
  }

  /** The way through the relay beside the source is as good as direct, and all that was seen. */
  @Test
  void aWayOfWhichNoRateWasSeenIsTestedWhereAnotherIsNoBetterThanDirect() {
    threeRelays();
    rig.client().testLink("near", "there", USUAL);
    Plan plan = rig.client().plan(plan(30.0));

    assertThat(plan.decision()).as(plan.why()).isEqualTo(Decision.CASCADE);
    assertThat(plan.relays()).contains("mid");
  }

  @Test
  void whatWasTestedLatelyIsNotTestedAgain() {
    threeRelays();
    rig.client().plan(plan(30.0));
    int before = tests();
    rig.client().plan(plan(30.0));
    assertThat(tests()).isEqualTo(before);
    assertThat(before).isLessThanOrEqualTo(5);
  }

  /** Few segments, but their rate and two losses among them bound what the direct way carries. */
  @Test
  void oneTestOfTheDirectPathDecidesWhereItIsFarSlower() {
    probes = 100;
    threeRelays();
    FakeRelay near = Objects.requireNonNull(relays.get("near"));
    near.throughput =
        test ->
            test.peer().equals("there")
                ? FakeRelay.report(test, 1.5e6, 600, 2, 20.4)
                : FakeRelay.report(test, 9e6, 3_200, 6, 20.4);

    Plan plan = rig.client().plan(plan(30.0));

    assertThat(plan.decision()).as(plan.why()).isEqualTo(Decision.CASCADE);
    assertThat(near.tests).filteredOn(test -> test.peer().equals("there")).hasSize(1);
  }

  @Test
  void aRelayWithoutBudgetIsLeftInPeace() {
    threeRelays();
    relays
        .values()
        .forEach(relay ->
            relay.throughput = _ -> FakeRelay.refusal(429, "throughput-test-refused", 600L));
    rig.client().plan(plan(30.0));
    int before = tests();
    Plan plan = rig.client().plan(plan(30.0));

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(tests()).isEqualTo(before);
  }

  /** Near the source, half-way, and on the destination's host. */
  private void threeRelays() {
    relay("near").throughput =
        test ->
            test.peer().equals("there")
                ? FakeRelay.report(test, 1.5e6, 700, 4, 20.4)
                : FakeRelay.report(test, 9e6, 3_200, 6, 20.4);
    relay("mid").throughput = test -> FakeRelay.report(test, 9e6, 3_200, 6, 20.4);
    FakeRelay there = rig.relay("there").at(THERE);
    there.sinkRefusal = null;
    relays.put("there", there.live());
    for (FakeRelay relay : relays.values()) {
      relay.probe = request -> FakeRelay.reached(request, 0, 0, 160);
    }
    probed("near", Map.of("mid", 40.0, "there", 160.0));
    probed("mid", Map.of("there", 40.0));
    await().until(() -> rig.client().links().links().size() == 3);
  }

  private static PlanRequest plan(@Nullable Double measureSeconds) {
    return PlanRequest.builder()
        .destination(THERE + ":5001")
        .bytes(60_000_000L)
        .source(Source.builder().relay("near").congestionControl("cubic").build())
        .avoid(List.of("there"))
        .measureSeconds(measureSeconds)
        .build();
  }

  private int tests() {
    return relays.values().stream().mapToInt(relay -> relay.tests.size()).sum();
  }

  private FakeRelay relay(String name) {
    FakeRelay relay = rig.relay(name);
    relay.sinkRefusal = null;
    relays.put(name, relay.live());
    return relay;
  }

  private void probed(String from, String to, double rttMillis) {
    probed(from, Map.of(to, rttMillis));
    await().until(() -> !rig.client().links().links().isEmpty());
  }

  private void probed(String from, Map<String, Double> peers) {
    FakeRelay relay = Objects.requireNonNull(relays.get(from));
    peers.forEach((to, rtt) -> relay.links.add(Rig.measured(to, probes, 0, rtt)));
    relay.beat();
    relay.links.clear();
  }

  private void assertProblem(String from, String to, int status, String kind) {
    assertThatThrownBy(() -> rig.client().testLink(from, to, USUAL))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(status);
              assertThat(problem.type()).isEqualTo("urn:cascade:problem:" + kind);
            });
  }

  private static LinkEvidence evidence(Link link, EvidenceSource source) {
    return Objects.requireNonNull(link.evidence()).stream()
        .filter(one -> one.source() == source)
        .findFirst()
        .orElseThrow(() -> new AssertionError(source + ": " + link));
  }

  private static Candidate candidate(Plan plan, CandidateKind kind) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == kind)
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + ": " + Arrays.toString(new Object[] {plan})));
  }
}
