package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.StreamTotals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a relay's SOCKS5 and CONNECT clients get their chains. */
class RoutesTest {
  private static final StreamTotals NOTHING_RUNS =
      new StreamTotals(0L, 3L, 3L, 0L, 1L, 1L, null, 0L, null, null, null, null);
  private static final StreamTotals ONE_RUNS =
      new StreamTotals(1L, 3L, 2L, 0L, 1L, 1L, null, 0L, null, null, null, null);

  private final MovableClock clock = new MovableClock();

  @TempDir private Path state;
  private Rig rig;
  private FakeRelay near;
  private FakeRelay far;

  @BeforeEach
  void start() {
    rig = Rig.start(state, settings -> settings.withClock(clock));
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
    assertThat(Objects.requireNonNull(first.ingress()).proxied()).isTrue();
    assertThat(Objects.requireNonNull(far.heldPart(id).egress()).guarded()).isTrue();
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
    clock.ahead(Duration.ofMinutes(6));
    await()
        .until(() ->
            near.calls.stream()
                .anyMatch(call -> call.path().endsWith("/" + id) && call.method().equals("GET")));
    assertThat(rig.state(id)).isEqualTo(ChainState.READY);
    near.totals = NOTHING_RUNS;
    clock.ahead(Duration.ofMinutes(12));
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
    clock.ahead(Duration.ofMinutes(6));
    await().until(() -> rig.state(id) == ChainState.CLOSED);
  }

  @Test
  void aChainThatIsNotWholeIsNotNamed() {
    aCascadePays();
    UUID id = Objects.requireNonNull(ask().chainId());
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
    Plan plan =
        rig.client()
            .plan(
                new PlanRequest(
                    Rig.DESTINATION,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null));
    assertThat(plan.why()).doesNotContain("not reached");

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
    return new ProbeReport(
        request.host(), request.port(), null, 0, 0, 0, null, null, "not allowed from there");
  }

  @Test
  void whoeverHasLostItsNameIsNotAnswered() {
    assertThatThrownBy(
            () -> rig.client().route("near", new RouteQuestion(UUID.randomUUID(), Rig.DESTINATION)))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(409));
    assertThatThrownBy(() ->
            rig.client().route("nobody", new RouteQuestion(UUID.randomUUID(), Rig.DESTINATION)))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(404));
    assertThatThrownBy(
            () -> rig.client().route("near", new RouteQuestion(near.instance(), "no port")))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(422));
  }

  private RouteAnswer ask() {
    return rig.client().route("near", new RouteQuestion(near.instance(), Rig.DESTINATION));
  }

  /** The way from near is long and loses much; by far's site it is neither. */
  private void aCascadePays() {
    near.links.add(Rig.measured("far", 100_000, 0, 50));
    far.links.add(Rig.measured("near", 100_000, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 20, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    await().until(() -> rig.client().links().links().size() == 2);
  }
}
