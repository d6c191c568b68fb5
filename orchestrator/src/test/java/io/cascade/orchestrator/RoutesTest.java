package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.orchestrator.RouteWay;
import io.cascade.api.orchestrator.TriedWay;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a relay's SOCKS5 and CONNECT clients get their chains. */
class RoutesTest {
  private static final StreamTotals NOTHING_RUNS =
      StreamTotals.builder()
          .running(0L)
          .opened(3L)
          .completed(3L)
          .failed(0L)
          .forwardBytes(1L)
          .backwardBytes(1L)
          .heldBytes(0L)
          .inlets(List.of())
          .outlets(List.of())
          .build();
  private static final StreamTotals ONE_RUNS =
      StreamTotals.builder()
          .running(1L)
          .opened(3L)
          .completed(2L)
          .failed(0L)
          .forwardBytes(1L)
          .backwardBytes(1L)
          .heldBytes(0L)
          .inlets(List.of())
          .outlets(List.of())
          .build();

  private final ManualTime time = ManualTime.running();

  @TempDir private Path state;
  private Rig rig;
  private FakeRelay near;
  private FakeRelay far;

  @BeforeEach
  void start() {
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
    near = rig.relay("near").at("192.0.2.11");
    far = rig.relay("far").at("192.0.2.12");
    near.capacityBitsPerSecond = 1_000_000_000L;
    far.capacityBitsPerSecond = 1_000_000_000L;
    near.live();
    far.live();
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void whereACascadePaysAChainIsOpenedThatBeginsAtTheRelayAndHasNoPort() {
    aCascadePays();
    RouteAnswer answer = ask();
    UUID id = Objects.requireNonNull(answer.chainId());
    Chain chain = rig.client().chain(id);
    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.relays()).containsExactly("near", "far");
    assertThat(chain.ingress()).isNull();
    ChainPart first = near.heldPart(id);
    assertThat(Objects.requireNonNull(first.inlets().getFirst().ingress()).proxied()).isTrue();
    assertThat(Objects.requireNonNull(far.heldPart(id).outlets().getFirst().egress()).guarded())
        .isTrue();
  }

  @Test
  void aRouteThatIsALittleBetterReplacesNone() {
    FakeRelay other = rig.relay("other").at("192.0.2.13");
    other.capacityBitsPerSecond = 1_000_000_000L;
    other.probe = request -> FakeRelay.reached(request, 0, 0, 12);
    other.links.add(Rig.measured("near", 100_000, 0, 50));
    near.links.add(Rig.measured("other", 100_000, 0, 50));
    near.totals = ONE_RUNS;
    far.totals = NOTHING_RUNS;
    other.live();
    near.links.add(Rig.measured("far", 100_000, 0, 50));
    far.links.add(Rig.measured("near", 100_000, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 20, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    await().until(() -> rig.client().links().links().size() == 4);
    UUID id = Objects.requireNonNull(ask().chainId());
    assertThat(rig.client().chain(id).relays()).containsExactly("near", "far");

    far.probe = request -> FakeRelay.reached(request, 0, 0, 12);
    other.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    time.pass(Duration.ofMinutes(11));
    await()
        .until(() ->
            rig.client().relays().relays().stream()
                    .allMatch(relay -> relay.status() == RelayStatus.UP)
                && rig.client().links().links().stream()
                    .allMatch(link -> link.minRttMillis() != null)
                && rig.state(id) == ChainState.READY);

    assertThat(ask().chainId()).isEqualTo(id);
  }

  @Test
  void aChainStaysWhereItsLastRelayCouldNotTryTheDestination() {
    rig.stop();
    near.links.add(Rig.measured("far", 100_000, 0, 50));
    far.links.add(Rig.measured("near", 100_000, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 20, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    rig.startAgain(settings -> settings.withHeartbeat(Duration.ofMinutes(5))); // nobody gets lost
    awaitLinks();
    UUID id = Objects.requireNonNull(ask().chainId());
    far.before =
        exchange -> {
          boolean probe = exchange.getRequestURI().getPath().endsWith("/probes");
          if (probe) {
            FakeRelay.answer(exchange, 429, "busy");
          }
          return probe;
        };
    time.pass(Duration.ofMinutes(11));

    assertThat(ask().chainId()).isEqualTo(id);
    assertThat(rig.state(id)).isEqualTo(ChainState.READY);
  }

  @Test
  void whereNoneDoesStreamsGoDirectly() {
    RouteAnswer answer = ask();
    assertThat(answer.chainId()).isNull();
    assertThat(answer.validSeconds()).isPositive();
    assertThat(rig.client().chains().chains()).isEmpty();
  }

  @Test
  void aChainIsOpenedOnceHoweverManyAskAndKeptForThoseWhoAskLater() throws Exception {
    aCascadePays();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<RouteAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(this::ask));
      }
      UUID id = Objects.requireNonNull(ask().chainId());
      for (Future<RouteAnswer> answer : answers) {
        assertThat(answer.get().chainId()).isEqualTo(id);
      }
    }
    assertThat(rig.client().chains().chains()).hasSize(1);
  }

  @Test
  void aChainThatNobodyAsksForIsClosedOnceNothingRunsThroughIt() {
    aCascadePays();
    near.totals = ONE_RUNS;
    far.totals = NOTHING_RUNS;
    UUID id = Objects.requireNonNull(ask().chainId());
    time.pass(Duration.ofMinutes(6));
    await()
        .until(() ->
            near.calls.stream()
                .anyMatch(call -> call.path().endsWith("/" + id) && call.method().equals("GET")));
    assertThat(rig.state(id)).isEqualTo(ChainState.READY);
    near.totals = NOTHING_RUNS;
    time.pass(Duration.ofMinutes(6));
    await().until(() -> rig.state(id) == ChainState.CLOSED);
    assertThat(near.has(id)).isFalse();
  }

  @Test
  void chainsOfAnEarlierLifeAreKeptAndClosedAsWell() {
    aCascadePays();
    near.totals = NOTHING_RUNS;
    far.totals = NOTHING_RUNS;
    UUID id = Objects.requireNonNull(ask().chainId());
    rig.stop();
    rig.startAgain();
    await().until(() -> rig.client().relays().relays().size() == 2);
    assertThat(ask().chainId()).isEqualTo(id);
    time.pass(Duration.ofMinutes(6));
    await().until(() -> rig.state(id) == ChainState.CLOSED);
  }

  @Test
  void aChainThatIsNotWholeIsNotNamed() {
    aCascadePays();
    UUID id = Objects.requireNonNull(ask().chainId());
    near.neighbours.add(far);
    far.die();
    await().until(() -> rig.state(id) == ChainState.DEGRADED);
    assertThat(ask().chainId()).isNull();
  }

  @Test
  void aRelayThatRefusesItsPartMakesStreamsGoDirectly() {
    aCascadePays();
    far.refuseParts(503, "urn:cascade:problem:limit-reached", "full");
    RouteAnswer answer = ask();
    assertThat(answer.chainId()).isNull();
    assertThat(answer.why()).contains("full");
    far.behave();
    assertThat(ask().chainId()).isNotNull();
  }

  @Test
  void relaysAreToldToKeepOutOfTheirSurroundingsAlsoWhenTheyOnlyMeasure() {
    aCascadePays();

    assertThat(ask().chainId()).isNotNull();

    assertThat(near.probes).isNotEmpty().allSatisfy(probe -> assertThat(probe.guarded()).isTrue());
    assertThat(far.probes).isNotEmpty().allSatisfy(probe -> assertThat(probe.guarded()).isTrue());
  }

  @Test
  void whatWasMeasuredForAnOperatorIsNotToldToAProxysClient() {
    near.probe = request -> guarded(request) ? notAllowed(request) : reached(request);
    far.probe = near.probe;
    Plan plan = rig.client().plan(PlanRequest.builder().destination(Rig.DESTINATION).build());
    assertThat(plan.notes()).asString().doesNotContain("not reached");

    RouteAnswer answer = ask();

    assertThat(answer.chainId()).isNull();
    assertThat(near.probes.getLast().guarded()).isTrue();
  }

  private static boolean guarded(ProbeRequest request) {
    return Boolean.TRUE.equals(request.guarded());
  }

  private static ProbeReport reached(ProbeRequest request) {
    return FakeRelay.reached(request, 0, 0, 5);
  }

  private static ProbeReport notAllowed(ProbeRequest request) {
    return FakeRelay.notAllowed(request, "not allowed from there");
  }

  @Test
  void whereThePlanIsUndecidedTheChainIsToBeTried() {
    aCascadeMayPay();
    RouteAnswer answer = ask();
    UUID id = Objects.requireNonNull(answer.chainId());
    assertThat(answer.trial()).isTrue();
    assertThat(rig.state(id)).isEqualTo(ChainState.READY);
    Chain chain = rig.client().chain(id);
    assertThat(Objects.requireNonNull(chain.plan()).decision())
        .as("the plan that led to it")
        .isEqualTo(Decision.UNDECIDED);
    assertThat(chain.plan().candidates())
        .as("what its relays were predicted to do")
        .anyMatch(candidate -> candidate.relays().equals(chain.relays()));
    assertThat(ask().trial()).as("until the relay knows better").isTrue();
    assertThat(rig.events())
        .filteredOn(event -> event.type() == EventType.ROUTE_TRIED)
        .singleElement()
        .satisfies(event -> assertThat(event.chainId()).isEqualTo(id));
  }

  @Test
  void whereThePlanIsSureNothingIsTried() {
    aCascadePays();
    assertThat(ask().trial()).isNull();
  }

  @Test
  void aTrialThatRunsIsShownWithTheChain() {
    aCascadeMayPay();
    UUID id = Objects.requireNonNull(ask().chainId());
    RouteAnswer answer = tell(trial(id, null));
    assertThat(answer.chainId()).isEqualTo(id);
    assertThat(answer.trial()).isTrue();
    assertThat(Objects.requireNonNull(rig.client().chain(id).trial()).summary())
        .isEqualTo("so far");
  }

  @Test
  void whatARelayFoundOutIsFollowedAndToldOnceAndNothingIsPlannedMeanwhile() {
    rig.stop();
    tooLittleIsKnown(); // told at the registration: the next heartbeat is minutes away
    rig.startAgain(settings -> settings.withHeartbeat(Duration.ofMinutes(5))); // nobody gets lost
    awaitLinks();
    UUID id = Objects.requireNonNull(ask().chainId());
    int probes = near.probes.size();
    for (int minute = 0; minute < 15; minute++) {
      time.pass(Duration.ofMinutes(1));
      RouteAnswer answer = tell(trial(id, RouteWay.CHAIN));
      assertThat(answer.chainId()).isEqualTo(id);
      assertThat(answer.trial()).as("it is no longer tried").isNull();
    }
    assertThat(near.probes).hasSize(probes);
    assertThat(rig.events())
        .filteredOn(event -> event.type() == EventType.ROUTE_TRIED)
        .extracting(Event::message)
        .last()
        .isEqualTo("near to " + Rig.DESTINATION + ": so far");
    assertThat(rig.events()).filteredOn(event -> event.type() == EventType.ROUTE_TRIED).hasSize(2);
  }

  @Test
  void aChainThatLostItsTrialIsClosedAndNoneIsOpenedWhileTheVerdictIsValid() {
    aCascadeMayPay();
    UUID id = Objects.requireNonNull(ask().chainId());
    for (int i = 0; i < 2; i++) {
      RouteAnswer answer = tell(trial(id, RouteWay.DIRECT));
      assertThat(answer.chainId()).isNull();
      assertThat(answer.validSeconds()).isEqualTo(90);
      assertThat(answer.why()).isEqualTo("so far");
    }
    await().until(() -> rig.state(id) == ChainState.CLOSED);
    assertThat(rig.client().chains().chains()).hasSize(1);
    assertThat(ask().chainId()).as("when it is valid no longer").isNotNull();
  }

  @Test
  void aTrialThatRunsOutlivesTheOrchestrator() {
    aCascadeMayPay();
    UUID id = Objects.requireNonNull(ask().chainId());
    rig.stop();
    rig.startAgain();
    await().until(() -> rig.client().relays().relays().size() == 2);
    RouteAnswer answer = tell(trial(id, null));
    assertThat(answer.chainId()).isEqualTo(id);
    assertThat(answer.trial()).isTrue();
    assertThat(tell(trial(id, RouteWay.CHAIN)).chainId()).isEqualTo(id);
  }

  @Test
  void whoeverHasLostItsNameIsNotAnswered() {
    assertThatThrownBy(() ->
            rig.client()
                .route(
                    "near",
                    RouteQuestion.builder()
                        .instance(UUID.randomUUID())
                        .destination(Rig.DESTINATION)
                        .build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(404));
    assertThatThrownBy(() ->
            rig.client()
                .route(
                    "nobody",
                    RouteQuestion.builder()
                        .instance(UUID.randomUUID())
                        .destination(Rig.DESTINATION)
                        .build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(404));
    assertThatThrownBy(() ->
            rig.client()
                .route(
                    "near",
                    RouteQuestion.builder()
                        .instance(near.instance())
                        .destination("no port")
                        .build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(422));
  }

  private RouteAnswer ask() {
    return tell(null);
  }

  private RouteAnswer tell(@Nullable RouteTrial found) {
    return rig.client().route("near", new RouteQuestion(near.instance(), Rig.DESTINATION, found));
  }

  private static RouteTrial trial(UUID chain, @Nullable RouteWay verdict) {
    TriedWay some =
        TriedWay.builder()
            .streams(3)
            .bulkStreams(3)
            .bitsPerSecond(1e6)
            .firstByteMillis(20.0)
            .build();
    return RouteTrial.builder()
        .chainId(chain)
        .verdict(verdict)
        .validSeconds(verdict == null ? null : 90)
        .direct(some)
        .chain(some)
        .summary("so far")
        .build();
  }

  /** Links as where a cascade pays, but of which too little is known. */
  private void aCascadeMayPay() {
    tooLittleIsKnown();
    awaitLinks();
  }

  private void tooLittleIsKnown() {
    near.links.add(Rig.measured("far", 200, 0, 50));
    far.links.add(Rig.measured("near", 200, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 0, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
  }

  private void awaitLinks() {
    await().until(() -> rig.client().links().links().size() == 2);
  }

  /** The way from near is long and loses much; by far's site it is neither. */
  private void aCascadePays() {
    near.links.add(Rig.measured("far", 100_000, 0, 50));
    far.links.add(Rig.measured("near", 100_000, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 20, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    awaitLinks();
  }
}
