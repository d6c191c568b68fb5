package io.cascade.orchestrator;

import static io.cascade.orchestrator.RelaysTest.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.relay.ProbeRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@NullUnmarked
class PlansTest extends RigTest {
  private static final long GIB = 1L << 30;

  @Test
  void aLossyDirectPathIsCutInTwoWhereTheMeasurementsAreSure() {
    relays(1_000_000_000L);

    Plan plan =
        rig.client()
            .plan(
                Rig.question(
                    GIB,
                    observed(
                        Observation.builder()
                            .to("destination")
                            .sent(20_000L)
                            .lost(400L)
                            .rttMillis(160.0)
                            .deliveredBitsPerSecond(2e6)
                            .build(),
                        Observation.builder()
                            .to("r1")
                            .sent(20_000L)
                            .lost(1L)
                            .rttMillis(20.0)
                            .deliveredBitsPerSecond(50e6)
                            .build(),
                        Observation.builder()
                            .to("r2")
                            .sent(20_000L)
                            .lost(1L)
                            .rttMillis(80.0)
                            .deliveredBitsPerSecond(50e6)
                            .build())));

    assertThat(plan.decision()).isIn(Decision.CASCADE, Decision.UNDECIDED);
    assertThat(plan.relays()).isNotEmpty();
    Candidate direct = candidate(plan, CandidateKind.DIRECT);
    Candidate cascade = candidate(plan, CandidateKind.CASCADE);
    assertThat(cascade.seconds()).isLessThan(direct.seconds());
    assertThat(direct.hops())
        .singleElement()
        .satisfies(hop -> {
          assertThat(hop.from()).isEqualTo("source");
          assertThat(hop.to()).isEqualTo("destination");
          assertThat(hop.probesSent()).isEqualTo(40_000L);
          assertThat(hop.probesLost()).isEqualTo(402L);
          assertThat(hop.rttMillis()).isEqualTo(160);
          assertThat(hop.basis()).contains("402 of 40000");
        });
    assertThat(cascade.hops().stream().filter(HopPrediction::bottleneck)).hasSize(1);
    assertThat(plan.candidates()).filteredOn(Candidate::chosen).hasSize(1);
    assertThat(cascade.secondsLow()).isLessThanOrEqualTo(cascade.seconds());
    assertThat(cascade.seconds()).isLessThanOrEqualTo(cascade.secondsHigh());
  }

  @Test
  void aSourceBesideARelayHasThatRelayMeasureTheDirectPath() {
    List<FakeRelay> relays = relays();
    relays.get(0).probe = request -> FakeRelay.reached(request, 1, 1, 160);

    Plan plan = rig.client().plan(Rig.question(GIB, Rig.beside("r1")));

    HopPrediction direct = candidate(plan, CandidateKind.DIRECT).hops().getFirst();
    assertThat(direct.rttMillis()).isEqualTo(160);
    assertThat(direct.probesSent()).as("a packet each way").isEqualTo(100);
    assertThat(direct.probesLost()).isEqualTo(4); // in each look one late, one never
    assertThat(plan.notes()).asString().contains("at the site of r1");
    assertThat(plan.candidates())
        .filteredOn(candidate -> candidate.relays().equals(List.of("r1", "r2")))
        .singleElement()
        .satisfies(candidate -> {
          assertThat(candidate.hops()).hasSize(3);
          assertThat(candidate.hops().getFirst().basis()).contains("assumed");
          assertThat(candidate.hops().getFirst().probesSent()).isNull();
          assertThat(candidate.hops().get(1).probesSent()).isGreaterThanOrEqualTo(10_000L);
        });
  }

  @Test
  void whereTheSourceNeverReachedTheDestinationRelaysAreTheOnlyWay() {
    relays();

    Plan plan =
        rig.client()
            .plan(
                Rig.question(
                    GIB,
                    observed(
                        Observation.builder().to("destination").sent(50L).lost(50L).build(),
                        Observation.builder()
                            .to("r1")
                            .sent(50L)
                            .lost(0L)
                            .rttMillis(20.0)
                            .build())));

    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.relays()).startsWith("r1");
    assertThat(plan.notes()).asString().contains("does not reach the destination without relays");
  }

  @Test
  void withoutASourceThePlanSaysWhatItCannotKnow() {
    relays();

    Plan plan = rig.client().plan(Rig.question(GIB, null));

    assertThat(plan.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(plan.notes()).asString().contains("No source was given");
    assertThat(candidate(plan, CandidateKind.DIRECT).seconds()).isNull();
    assertThat(plan.relays()).isNotEmpty();
  }

  @Test
  void aStreamWithoutEndIsPlannedForItsRate() {
    relays(1_000_000_000L);

    Candidate cascade =
        candidate(rig.client().plan(Rig.question(null, Rig.beside("r1"))), CandidateKind.CASCADE);

    assertThat(cascade.seconds()).isNull();
    assertThat(cascade.bitsPerSecond()).isPositive();
  }

  @Test
  void requiredRelaysArePlannedInTheirOrder() {
    relays();

    Plan plan = rig.client().plan(question(List.of("r2", "r1"), null, null, null));

    assertThat(plan.relays()).containsExactly("r2", "r1");
    assertThat(plan.notes()).asString().contains("required");
  }

  @Test
  void avoidedRelaysAreInNoCandidate() {
    relays();

    Plan plan = rig.client().plan(question(null, List.of("r2"), null, null));

    assertThat(plan.candidates()).noneMatch(candidate -> candidate.relays().contains("r2"));
    assertThat(plan.relays()).containsExactly("r1");
  }

  @Test
  void anAssumedCapacityBoundsWhatNobodyMeasured() {
    relays();

    Plan plan = rig.client().plan(question(null, null, "bbr", 8_000_000L));

    Candidate cascade = candidate(plan, CandidateKind.CASCADE);
    assertThat(cascade.bitsPerSecond()).isPositive().isLessThan(8_000_000);
    assertThat(cascade.hops()).allMatch(hop -> hop.capacityBitsPerSecond() != null);
  }

  @Test
  void whatIsInfiniteIsLeftOut() {
    relays();

    Rig.Response answer =
        rig.call(
            "POST",
            "/api/v1/plans",
            "{\"destination\":\"h:1\",\"source\":{\"relay\":\"r1\",\"congestionControl\":\"bbr\"},"
                + "\"congestionControl\":\"bbr\"}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("Infinity", "NaN", "null");
  }

  @Test
  void destinationsAreProbedByEveryCandidateOnceInAWhile() {
    List<FakeRelay> relays = relays();

    rig.client().plan(Rig.question(GIB, null));
    rig.client().plan(Rig.question(GIB, null));

    assertThat(relays)
        .allSatisfy(relay ->
            assertThat(relay.probes).extracting(ProbeRequest::count).containsExactly(8, 42));
    assertThat(relays.getFirst().probes.getFirst().host()).isEqualTo("192.0.2.1");
    assertThat(relays.getFirst().probes.getFirst().port()).isEqualTo(5001);
  }

  @Test
  void relaysTogetherMakeABoundedNumberOfConnectionsToADestinationAndKeepAFirstLookEach() {
    List<FakeRelay> relays = IntStream.rangeClosed(1, 6).mapToObj(i -> rig.live("r" + i)).toList();

    rig.client().plan(Rig.question(GIB, null));

    assertThat(
            relays.stream()
                .flatMap(relay -> relay.probes.stream())
                .mapToInt(probe -> Objects.requireNonNull(probe.count()))
                .sum())
        .isEqualTo(150);
  }

  @Test
  void aDestinationBesideARelayIsKnownByTheLinksToIt() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.relay("r2").at("127.0.0.2").live();
    r1.links.add(Rig.measured("r2", 10_000, 5, 60));
    r1.beat();
    r1.links.clear();
    assertThat(r2.hop().host()).isEqualTo("127.0.0.2");

    Plan plan =
        rig.client()
            .plan(
                PlanRequest.builder()
                    .destination("127.0.0.2:9")
                    .bytes(GIB)
                    .source(Rig.beside("r1"))
                    .via(List.of("r1"))
                    .build());

    HopPrediction last = candidate(plan, CandidateKind.CASCADE).hops().getLast();
    assertThat(last.probesSent()).isEqualTo(10_000L);
    assertThat(last.rttMillis()).isEqualTo(60);
    assertThat(plan.notes()).asString().contains("r2's host");
  }

  @Test
  void aDestinationThatNobodyReachesIsSaidToBeSo() {
    relays().forEach(relay -> relay.probe = FakeRelay::refused);

    Plan plan = rig.client().plan(Rig.question(GIB, Rig.beside("r1")));

    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);
    assertThat(plan.relays()).isNull();
    assertThat(plan.notes()).asString().contains("r1: refused").contains("r2: refused");
  }

  @Test
  void aRelayThatCannotProbeDoesNotSpoilThePlan() {
    relays().getFirst().before =
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/probes")) {
            FakeRelay.answer(exchange, 500, "broken");
            return true;
          }
          return false;
        };

    Plan plan = rig.client().plan(Rig.question(GIB, null));

    assertThat(plan.relays()).contains("r2");
  }

  @Test
  void withoutRelaysThePlanSaysHowToGetSome() {
    assertThat(rig.client().plan(Rig.question(GIB, null)).notes())
        .asString()
        .contains("./cascade relay");
  }

  @Test
  void severalRoutesTogetherAreShownAndNeverChosen() {
    relays();

    Plan plan = rig.client().plan(together(2, observed()));

    Candidate together = candidate(plan, CandidateKind.MULTIPATH);
    assertThat(together.chosen()).isFalse();
    assertThat(together.shares()).hasSize(2);
    assertThat(together.shares())
        .allSatisfy(
            share -> assertThat(share.hops()).filteredOn(HopPrediction::bottleneck).hasSize(1));
    assertThat(plan.notes())
        .asString()
        .contains("never chosen: a chain has several routes between two relays only");
  }

  @Test
  void severalRoutesOfAnUnknownSourceAreNotMadeUp() {
    relays();

    assertThat(rig.client().plan(together(2, null)).candidates())
        .noneMatch(candidate -> candidate.kind() == CandidateKind.MULTIPATH);
  }

  @Test
  void limitsThatContradictThemselvesAreRefused() {
    relays();

    problem(
        () ->
            rig.client()
                .plan(
                    PlanRequest.builder()
                        .destination(Rig.DESTINATION)
                        .bytes(GIB)
                        .limits(
                            RouteLimits.builder()
                                .allowedSites(List.of("a"))
                                .forbiddenSites(List.of("a"))
                                .build())
                        .build()),
        400,
        "invalid-request",
        "allowedSites");
    assertThat(
            rig.call("POST", "/api/v1/plans", "{\"destination\": \"a:1\", \"paths\": 9}").status())
        .isEqualTo(400);
  }

  @Test
  void unknownRelaysAreNamedWithThoseThatThereAre() {
    relays();

    problem(
        () -> rig.client().plan(question(List.of("r9"), null, null, null)),
        404,
        "unknown-relay",
        "r9: no such relay (known: r1, r2)");
    problem(
        () -> rig.client().plan(Rig.question(1L, Rig.beside("r9"))), 404, "unknown-relay", "r9");
  }

  @Test
  void routesThatContradictThemselvesAreRefused() {
    relays();

    problem(
        () -> rig.client().plan(question(List.of("r1", "r1"), null, null, null)),
        422,
        "invalid-route",
        "r1 twice");
    problem(
        () -> rig.client().plan(question(List.of("r1"), List.of("r1"), null, null)),
        422,
        "invalid-route",
        "avoid");
  }

  @Test
  void destinationsThatAreNoneAreRefused() {
    for (String destination :
        List.of("nowhere", "host:0", "host:70000", "2001:db8::1:80", "host:http", ":80", "a b:1")) {
      problem(
          () -> rig.client().plan(PlanRequest.builder().destination(destination).build()),
          422,
          "invalid-destination",
          "expected");
    }
  }

  @Test
  void aClientsLaterPlansKnowWhatItsTransferAchieved() {
    relays();
    PlanRequest question =
        Rig.question(
            GIB,
            observed(
                Observation.builder()
                    .to("destination")
                    .sent(50L)
                    .lost(1L)
                    .rttMillis(160.0)
                    .build()));
    assertThat(
            candidate(rig.client().plan(question), CandidateKind.DIRECT)
                .hops()
                .getFirst()
                .capacityKind())
        .isEqualTo(CapacityKind.UNKNOWN);

    rig.client()
        .report(
            TransferReport.builder()
                .destination(question.destination())
                .bytes(2L << 20)
                .bitsPerSecond(6e6)
                .build());

    Candidate direct = candidate(rig.client().plan(question), CandidateKind.DIRECT);
    assertThat(direct.hops().getFirst().capacityKind()).isEqualTo(CapacityKind.AT_LEAST);
    assertThat(direct.bitsPerSecond()).isPositive();
  }

  @Test
  void observationsThatCannotBeAreRefused() {
    relays();

    problem(
        () ->
            rig.client()
                .plan(
                    Rig.question(
                        1L,
                        observed(
                            Observation.builder()
                                .to("r1")
                                .sent(5L)
                                .lost(6L)
                                .rttMillis(1.0)
                                .build()))),
        400,
        "invalid-request",
        "lost 6 of 5");
  }

  @Test
  void observationsOfStrangersAreNamed() {
    relays();

    Plan plan =
        rig.client()
            .plan(
                Rig.question(
                    1L,
                    observed(
                        Observation.builder().to("r7").sent(5L).lost(0L).rttMillis(1.0).build())));

    assertThat(plan.notes()).asString().contains("not registered as relays: r7");
  }

  @Test
  void aRelayTooBusyToProbeIsUnmeasuredAndNotAskedAgainAtOnce() {
    List<FakeRelay> relays = relays();
    AtomicInteger refused = new AtomicInteger();
    relays.get(0).before =
        exchange -> {
          boolean probe = exchange.getRequestURI().getPath().endsWith("/probes");
          if (probe) {
            refused.incrementAndGet();
            FakeRelay.answer(exchange, 429, "busy");
          }
          return probe;
        };

    Plan plan = rig.client().plan(Rig.question(GIB, null));
    Plan again = rig.client().plan(Rig.question(GIB, null));

    assertThat(plan.notes())
        .asString()
        .contains("unmeasured")
        .contains("r1.")
        .doesNotContain("not reached");
    assertThat(again.notes()).asString().contains("unmeasured");
    assertThat(plan.candidates())
        .filteredOn(candidate -> !candidate.relays().isEmpty())
        .isNotEmpty()
        .allSatisfy(candidate -> assertThat(candidate.relays().getLast()).isEqualTo("r2"));
    assertThat(refused).hasValue(1);
  }

  @Test
  void aRelayThatBecomesTooBusyKeepsWhatItMeasured() {
    assertKeepsItsFirstLook(exchange -> FakeRelay.answer(exchange, 429, "busy"));
  }

  @Test
  void aRelayThatDoesNotAnswerASecondTimeKeepsWhatItMeasured() {
    assertKeepsItsFirstLook(HttpExchange::close);
  }

  @Test
  void aLookAtALossyPathEndsBeforeTheCallDoes() {
    List<FakeRelay> relays = relays();

    rig.client().plan(Rig.question(GIB, null));

    int spacingMillis = 15; // of a relay's ConnectProbe
    assertThat(relays.getFirst().probes)
        .isNotEmpty()
        .allSatisfy(probe -> {
          int count = Objects.requireNonNull(probe.count());
          int last = Objects.requireNonNull(probe.timeoutMillis());
          assertThat(count * spacingMillis + last).isLessThan(9_000);
        });
  }

  @Test
  void aPlanThatMayNotMeasureWaitsForAFirstLookAlone() {
    CountDownLatch planned = new CountDownLatch(1);
    List<FakeRelay> relays = relays();
    relays.forEach(relay ->
        relay.before =
            exchange -> {
              boolean again =
                  exchange.getRequestURI().getPath().endsWith("/probes") && !relay.probes.isEmpty();
              return again && !opened(planned);
            });

    PlanRequest hurried =
        PlanRequest.builder().destination(Rig.DESTINATION).bytes(GIB).measureSeconds(0.0).build();

    rig.client().plan(hurried);
    planned.countDown();

    await()
        .untilAsserted(
            () -> assertThat(relays).allSatisfy(relay -> assertThat(relay.probes).hasSize(2)));
  }

  private static boolean opened(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertKeepsItsFirstLook(Consumer<HttpExchange> second) {
    List<FakeRelay> relays = relays();
    relays.get(1).before =
        exchange -> {
          boolean again =
              exchange.getRequestURI().getPath().endsWith("/probes")
                  && !relays.get(1).probes.isEmpty();
          if (again) {
            second.accept(exchange);
          }
          return again;
        };

    Plan plan = rig.client().plan(Rig.question(GIB, null));

    assertThat(plan.notes()).asString().doesNotContain("unmeasured").doesNotContain("not reached");
    assertThat(relays.get(1).probes).hasSize(1);
  }

  private List<FakeRelay> relays() {
    return relays(null);
  }

  private List<FakeRelay> relays(@Nullable Long capacity) {
    FakeRelay r1 = rig.relay("r1");
    FakeRelay r2 = rig.relay("r2");
    for (FakeRelay relay : List.of(r1, r2)) {
      relay.capacityBitsPerSecond = capacity;
      relay.live();
    }
    r1.links.add(Rig.measured("r2", 10_000, 5, 60));
    r2.links.add(Rig.measured("r1", 10_000, 5, 60));
    r1.beat();
    r2.beat();
    r1.links.clear();
    r2.links.clear();
    r1.probe = request -> FakeRelay.reached(request, 0, 0, 140);
    r2.probe = request -> FakeRelay.reached(request, 0, 0, 80);
    return List.of(r1, r2);
  }

  private static PlanRequest question(
      @Nullable List<String> via,
      @Nullable List<String> avoid,
      @Nullable String control,
      @Nullable Long capacity) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(GIB)
        .source(Rig.beside("r1"))
        .via(via)
        .avoid(avoid)
        .congestionControl(control)
        .capacityBitsPerSecond(capacity)
        .build();
  }

  private static PlanRequest together(int paths, @Nullable Source source) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(GIB)
        .source(source)
        .maxRelays(2)
        .paths(paths)
        .build();
  }

  private static Source observed() {
    return observed(
        Observation.builder().to("destination").sent(20_000L).lost(100L).rttMillis(160.0).build(),
        Observation.builder().to("r1").sent(20_000L).lost(10L).rttMillis(20.0).build(),
        Observation.builder().to("r2").sent(20_000L).lost(10L).rttMillis(80.0).build());
  }

  private static Source observed(Observation... observations) {
    return Source.builder().observations(List.of(observations)).congestionControl("cubic").build();
  }

  private static Candidate candidate(Plan plan, CandidateKind kind) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == kind)
        .findFirst()
        .orElseThrow();
  }
}
