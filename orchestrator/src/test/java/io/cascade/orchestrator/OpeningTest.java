package io.cascade.orchestrator;

import static io.cascade.orchestrator.RelaysTest.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainSecurity;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RelaySetup;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.relay.StreamOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@NullUnmarked
class OpeningTest extends RigTest {
  private static final String PORT_TAKEN = "urn:cascade:problem:port-taken";

  @Test
  void allRelaysAreContactedAtTheSameMoment() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");
    CyclicBarrier all = new CyclicBarrier(3);
    relays.forEach(relay -> relay.before = meeting("PUT", all));

    Chain chain = rig.openVia("r1", "r2", "r3");

    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.setup().mode()).isEqualTo(SetupMode.PARALLEL);
  }

  @Test
  void everyRelaysTimeIsReportedBesideThePredictionAndTheSum() {
    rig.live("r1", "r2");
    await().until(() -> rig.openVia("r1", "r2").setup().predictedMillis() != null);

    var setup = rig.openVia("r1", "r2").setup();

    double sum = setup.relays().stream().mapToDouble(RelaySetup::elapsedMillis).sum();
    assertThat(setup.sequentialMillis()).isEqualTo(sum);
    assertThat(setup.attempt()).isEqualTo(1);
    assertThat(setup.relays()).extracting(RelaySetup::relay).containsExactly("r1", "r2");
    assertThat(setup.relays())
        .allSatisfy(relay -> {
          assertThat(relay.elapsedMillis()).isPositive().isLessThanOrEqualTo(sum);
          assertThat(relay.predictedMillis()).isEqualTo(1.5 * relay.controlRttMillis());
          assertThat(relay.relayMillis()).isEqualTo(0.6);
          assertThat(relay.warmMillis()).isEqualTo(0.3);
          assertThat(relay.failure()).isNull();
        });
    assertThat(setup.predictedMillis())
        .isEqualTo(
            setup.relays().stream().mapToDouble(RelaySetup::predictedMillis).max().orElseThrow());
  }

  @Test
  void aSequentialSetUpGoesFromEgressToIngressOneByOne() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    relays.forEach(relay ->
        relay.before =
            exchange -> {
              if (exchange.getRequestMethod().equals("PUT")) {
                // Nobody was asked before this relay's successors had answered.
                assertThat(order).hasSize(3 - Integer.parseInt(relay.name().substring(1)));
                order.add(relay.name());
              }
              return false;
            });

    Chain chain =
        rig.client()
            .open(Rig.request(List.of("r1", "r2", "r3"), SetupMode.SEQUENTIAL, null, null), null);

    assertThat(order).containsExactly("r3", "r2", "r1");
    assertThat(chain.setup().mode()).isEqualTo(SetupMode.SEQUENTIAL);
    assertThat(chain.setup().elapsedMillis())
        .isGreaterThanOrEqualTo(
            chain.setup().relays().stream()
                .mapToDouble(RelaySetup::elapsedMillis)
                .max()
                .orElseThrow());
  }

  @Test
  void optionsReachEveryRelay() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    ChainOptions options =
        ChainOptions.builder()
            .bufferBytes(1L << 20)
            .warmConnections(2)
            .mode(ForwardMode.STORE_AND_FORWARD)
            .startAfterBytes(4_096L)
            .startAfterWindows(3)
            .spoolBytes(1L << 20)
            .congestionControl("reno")
            .noDelay(false)
            .keepAliveSeconds(20)
            .userTimeoutSeconds(40)
            .connectTimeoutSeconds(5)
            .idleTimeoutSeconds(600)
            .halfCloseTimeoutSeconds(900)
            .chunkBytes(50_000L)
            .proxyProtocol(true)
            .security(ChainSecurity.TLS)
            .pacingBitsPerSecond(1_000_000L)
            .maxStreams(50)
            .transport(io.cascade.api.orchestrator.TransportChoice.CODED)
            .build();

    Chain chain =
        rig.client()
            .open(
                ChainRequest.builder()
                    .destination("[2001:db8::7]:443")
                    .name("nightly")
                    .via(List.of("r1", "r2"))
                    .ingressPort(41_234)
                    .leaseSeconds(90)
                    .options(options)
                    .build(),
                null);

    StreamOptions expected =
        StreamOptions.builder()
            .bufferBytes(1L << 20)
            .warmConnections(2)
            .mode(ForwardMode.STORE_AND_FORWARD)
            .startAfterBytes(4_096L)
            .startAfterWindows(3)
            .spoolBytes(1L << 20)
            .congestionControl("reno")
            .noDelay(false)
            .keepAliveSeconds(20)
            .userTimeoutSeconds(40)
            .connectTimeoutSeconds(5)
            .idleTimeoutSeconds(600)
            .pacingBitsPerSecond(1_000_000L)
            .halfCloseTimeoutSeconds(900)
            .chunkBytes(50_000L)
            .maxStreams(50)
            .transport(io.cascade.api.relay.TransportChoice.CODED)
            .build();
    assertThat(relays)
        .allSatisfy(relay -> {
          assertThat(relay.heldPart(chain.id()).options()).isEqualTo(expected);
          assertThat(relay.heldPart(chain.id()).leaseSeconds()).isEqualTo(90);
        });
    assertThat(relays.get(1).heldPart(chain.id()).outlets().getFirst().egress().host())
        .isEqualTo("2001:db8::7");
    assertThat(relays.get(1).heldPart(chain.id()).outlets().getFirst().egress().proxyProtocol())
        .isTrue();
    assertThat(chain.ingress().port()).isEqualTo(41_234);
    assertThat(chain.name()).isEqualTo("nightly");
    assertThat(chain.leaseSeconds()).isEqualTo(90);
    assertThat(chain.options()).isEqualTo(options);
    assertThat(rig.client().chain(chain.id()).options()).isEqualTo(options);
  }

  @Test
  void anIngressThatListensEverywhereIsReachedWhereItsNeighboursReachIt() {
    rig.live("r1").ingressHost = "0.0.0.0";

    assertThat(rig.openVia("r1").ingress().host()).isEqualTo("127.0.0.1");
  }

  @Test
  void oneRefusalRollsAllBackAtTheSameMoment() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");
    CyclicBarrier removals = new CyclicBarrier(3);
    relays.forEach(relay -> relay.before = meeting("DELETE", removals));
    Predicate<HttpExchange> removal = relays.get(1).before;
    relays.get(1).refuseParts(409, PORT_TAKEN, "port 80 belongs to somebody else");
    Predicate<HttpExchange> refusal = relays.get(1).before;
    relays.get(1).before = exchange -> removal.test(exchange) || refusal.test(exchange);

    ProblemException problem = refused(Rig.via("r1", "r2", "r3"));

    assertThat(problem.status()).isEqualTo(409);
    assertThat(problem.type()).isEqualTo(PORT_TAKEN);
    assertThat(problem).hasMessageContaining("r2: port 80 belongs to somebody else");
    Chain failed = rig.client().chain(problem.chainId());
    assertThat(failed.state()).isEqualTo(ChainState.FAILED);
    assertThat(failed.reason()).contains("port 80");
    assertThat(failed.setup().relays())
        .filteredOn(relay -> relay.failure() != null)
        .extracting(RelaySetup::relay)
        .containsExactly("r2");
    assertThat(relays).noneMatch(relay -> relay.has(failed.id()));
    assertThat(states(failed.id()))
        .containsExactly(
            ChainState.PLANNING, ChainState.INSTALLING, ChainState.ROLLING_BACK, ChainState.FAILED);
  }

  @Test
  void relaysThatWereNamedAreNotReplaced() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    relays.get(0).refuseParts(503, "urn:cascade:problem:limit-reached", "too many chains");

    ProblemException problem = refused(Rig.via("r1"));

    assertThat(problem.status()).isEqualTo(503);
    assertThat(relays.get(1).count("PUT")).isZero();
  }

  @Test
  void wherePlannerChoseItPlansAgainWithoutTheCulprit() {
    List<FakeRelay> relays = choice();
    relays.get(0).refuseParts(422, "urn:cascade:problem:unresolvable", "no such name");

    Chain chain = rig.client().open(Rig.request(null, null, null, null), null);

    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.relays()).containsExactly("r2");
    assertThat(chain.setup().attempt()).isEqualTo(2);
    assertThat(chain.plan().relays()).containsExactly("r2");
    assertThat(relays.get(0).has(chain.id())).isFalse();
    assertThat(relays.get(0).count("DELETE")).isEqualTo(1);
    assertThat(states(chain.id()))
        .containsExactly(
            ChainState.PLANNING,
            ChainState.INSTALLING,
            ChainState.ROLLING_BACK,
            ChainState.PLANNING,
            ChainState.INSTALLING,
            ChainState.READY);
  }

  @Test
  void aRelayThatMayNotConnectThereRefusesItsPartAndAnotherIsChosen() {
    List<FakeRelay> relays = choice();
    relays.get(0).refuseParts(403, "urn:cascade:problem:destination-not-allowed", "private");

    Chain chain = rig.client().open(Rig.request(null, null, null, null), null);

    assertThat(chain.relays()).containsExactly("r2");
  }

  @Test
  void aRelayWhoseProbeIsNotAllowedIsNotChosen() {
    List<FakeRelay> relays = choice();
    relays.get(0).probe = request -> FakeRelay.notAllowed(request, "a private address");

    Chain chain = rig.client().open(Rig.request(null, null, null, null), null);

    assertThat(chain.relays()).containsExactly("r2");
    assertThat(chain.setup().attempt()).isEqualTo(1);
  }

  @Test
  void whereNoRelayMayConnectTheProblemNamesRelayRuleAndFlag() {
    for (FakeRelay relay : choice()) {
      relay.probe = request -> FakeRelay.notAllowed(request, "private; fix: --allow-destination x");
    }

    ProblemException problem = refused(Rig.request(null, null, null, null));

    assertThat(problem.status()).isEqualTo(403);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:destination-not-allowed");
    assertThat(problem)
        .hasMessageContaining(
            "no relay may connect there: r1: private; fix: --allow-destination x; r2: private");
  }

  @Test
  void wherePartsAreRefusedForTheirDestinationTheProblemSaysSo() {
    rig.live("r1").refuseParts(403, "urn:cascade:problem:destination-not-allowed", "private");

    ProblemException problem = refused(Rig.via("r1"));

    assertThat(problem.status()).isEqualTo(403);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:destination-not-allowed");
    assertThat(problem).hasMessageContaining("r1: private");
  }

  @Test
  void afterThreeAttemptsItGivesUpAndTellsOfAll() {
    choice();
    rig.live("r4").probe = request -> FakeRelay.reached(request, 0, 0, 40);
    for (FakeRelay relay : rig.relays()) {
      relay.refuseParts(503, "urn:cascade:problem:limit-reached", relay.name() + " is full");
    }

    ProblemException problem = refused(Rig.request(null, null, null, null));

    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem)
        .hasMessageContaining("3 attempts: r1: r1 is full; then r2: r2 is full; then r3");
    assertThat(rig.state(problem.chainId())).isEqualTo(ChainState.FAILED);
  }

  @Test
  void aRelayWhoseSecondLookIsSlowIsNotRankedBelowThoseWhoseSecondLooksAreDone() {
    List<FakeRelay> relays = choice();
    PlanRequest hurried =
        PlanRequest.builder()
            .destination(Rig.DESTINATION)
            .bytes(1L << 30)
            .measureSeconds(0.0)
            .build();
    CountDownLatch release = new CountDownLatch(1);
    relays.get(0).probe =
        request -> {
          if (request.count() > 8) {
            waitFor(release);
          }
          return FakeRelay.reached(request, 0, 0, 10);
        };
    Plan _ = rig.client().plan(hurried);
    await().until(() -> relays.stream().allMatch(relay -> relay.probes.size() == 2));

    Plan plan = rig.client().plan(hurried);

    release.countDown();
    assertThat(plan.relays()).containsExactly("r1");
  }

  @Test
  void whenNothingIsLeftToTryTheReasonsAreTold() {
    rig.live("r1").refuseParts(422, "urn:cascade:problem:unsupported", "no vegas here");

    ProblemException problem = refused(Rig.request(null, null, null, null));

    assertThat(problem.status()).isEqualTo(422);
    assertThat(problem)
        .hasMessageContaining("no vegas here")
        .hasMessageContaining("no other route");
  }

  @Test
  void aNeighbourThatWasNotReachedIsTheOneToLeaveOut() {
    List<FakeRelay> relays = choice();
    // The best route for this source leads through r1 and r2, where r1 does not reach r2.
    relays.get(0).links.add(Rig.measured("r2", 100_000, 0, 1));
    relays.get(0).beat();
    relays.get(0).before =
        exchange -> {
          FakeRelay.Call call = relays.get(0).calls.getLast();
          if (call.part() == null || call.part().outlets().getFirst().relay() == null) {
            return false;
          }
          FakeRelay.answer(
              exchange,
              502,
              io.cascade.api.relay.Problem.builder()
                  .type("urn:cascade:problem:next-relay-unreachable")
                  .title("Refused")
                  .status(502)
                  .detail("no greeting")
                  .build());
          return true;
        };
    Source source =
        Source.builder()
            .observations(
                List.of(
                    Observation.builder().to("r1").sent(100_000L).lost(10L).rttMillis(10.0).build(),
                    Observation.builder().to("r2").sent(1_000L).lost(300L).rttMillis(300.0).build(),
                    Observation.builder()
                        .to("destination")
                        .sent(1_000L)
                        .lost(300L)
                        .rttMillis(300.0)
                        .build()))
            .congestionControl("reno")
            .build();
    relays.get(0).probe = request -> FakeRelay.reached(request, 2, 2, 200);

    Chain chain =
        rig.client()
            .open(
                ChainRequest.builder()
                    .destination(Rig.DESTINATION)
                    .avoid(List.of("r3"))
                    .maxRelays(2)
                    .bytes(1L << 30)
                    .source(source)
                    .build(),
                null);

    assertThat(chain.relays()).containsExactly("r1");
    assertThat(chain.setup().attempt()).isEqualTo(2);
  }

  @Test
  void aRelayThatDoesNotAnswerIsNamed() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    relays.get(1).die();

    ProblemException problem = refused(Rig.via("r1", "r2"));

    assertThat(problem.status()).isEqualTo(502);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:relay-unreachable");
    assertThat(problem).hasMessageContaining("r2").hasMessageContaining("no answer from");
    assertThat(relays.get(0).has(problem.chainId())).isFalse();
  }

  @Test
  void aRelayThatIsNoneOfOursIsNamed() {
    rig.live("r1").refuseParts(418, "urn:example:teapot", "short and stout");

    ProblemException problem = refused(Rig.via("r1"));

    assertThat(problem.status()).isEqualTo(502);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:relay-refused");
    assertThat(problem).hasMessageContaining("r1: short and stout");
  }

  @Test
  void anUnknownRelayIsNamedWithThoseThatThereAre() {
    rig.live("r1");

    problem(() -> rig.openVia("r1", "r9"), 404, "unknown-relay", "r9: no such relay (known: r1)");
    assertThat(rig.client().chains().chains()).isEmpty();
  }

  @Test
  void aRelayTwiceIsRefused() {
    rig.live("r1", "r2");

    problem(() -> rig.openVia("r1", "r2", "r1"), 422, "invalid-route", "r1 twice");
  }

  @Test
  void aDestinationWithoutAPortIsRefused() {
    rig.live("r1");

    problem(
        () -> rig.client().open(ChainRequest.builder().destination("host").build(), null),
        422,
        "invalid-destination",
        "expected: HOST:PORT");
  }

  @Test
  void aLostRelayIsRefused() {
    rig.live("r1").stopBeating();
    await().until(() -> rig.client().relay("r1").status() == RelayStatus.LOST);

    problem(() -> rig.openVia("r1"), 409, "relay-lost", "start it again");
    problem(
        () -> rig.client().open(Rig.request(null, null, null, null), null),
        409,
        "no-relays",
        "no usable relay is up");
  }

  @Test
  void aDrainingRelayIsRefused() {
    FakeRelay r1 = rig.live("r1");
    r1.draining = true;
    r1.beat();

    problem(() -> rig.openVia("r1"), 409, "relay-draining", "no new streams");
  }

  @Test
  void withoutRelaysTheFixIsNamed() {
    problem(
        () -> rig.client().open(Rig.request(null, null, null, null), null),
        409,
        "no-relays",
        "./cascade relay");
    problem(() -> rig.openVia("r1"), 404, "unknown-relay", "./cascade relay");
  }

  @Test
  void aDestinationThatNoRelayReachesIsRefused() {
    rig.live("r1").probe = FakeRelay::refused;

    problem(
        () -> rig.client().open(Rig.request(null, null, null, null), null),
        409,
        "no-route",
        "r1: refused");
  }

  @Test
  void aCascadeThatIsNotExpectedToPayIsNotOpenedWhereAskedNotTo() {
    FakeRelay r1 = rig.live("r1");
    Source source =
        Source.builder()
            .observations(
                List.of(
                    Observation.builder()
                        .to("destination")
                        .sent(100_000L)
                        .lost(1L)
                        .rttMillis(5.0)
                        .build(),
                    Observation.builder()
                        .to("r1")
                        .sent(100_000L)
                        .lost(1_000L)
                        .rttMillis(200.0)
                        .build()))
            .congestionControl("cubic")
            .build();
    ChainRequest request = ifBetter(null, source);

    problem(() -> rig.client().open(request, null), 409, "not-better", "direct");
    problem(() -> rig.client().open(ifBetter(List.of("r1"), source), null), 409, "not-better", "");
    assertThat(r1.count("PUT")).isZero();
  }

  @Test
  void theSameKeyAndBodyAnswerWithTheSameChain() {
    FakeRelay r1 = rig.live("r1");
    String body = "{\"destination\":\"h:1\",\"via\":[\"r1\"]}";

    Rig.Response first = open(body, "k1");
    Rig.Response again = open("{ \"via\": [\"r1\"], \"destination\": \"h:1\" }", "k1");
    Rig.Response other = open(body, "k2");

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.response().headers().firstValue("Location")).hasValue(location(first));
    assertThat(again.status()).isEqualTo(200);
    assertThat(location(again)).isEqualTo(location(first));
    assertThat(location(other)).isNotEqualTo(location(first));
    assertThat(r1.count("PUT")).isEqualTo(2);
  }

  @Test
  void theSameKeyAndBodyAnswerWithTheSameChainFromAnotherAddress() {
    rig.live("r1");
    String body =
        "{\"destination\":\"h:1\",\"via\":[\"r1\"],\"question\":{\"destination\":\"h:1\"}}";

    Rig.Response first = open(body, "k1");
    Rig.Response again =
        rig.callFrom("127.0.0.2", "POST", "/api/v1/chains", body, "Idempotency-Key", "k1");

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(location(again)).isEqualTo(location(first));
  }

  @Test
  void theSameKeyWithAnotherBodyIsRefused() {
    rig.live("r1");
    rig.client().open(Rig.via("r1"), "k1");

    problem(
        () -> rig.client().open(Rig.request(List.of("r1"), null, 30, null), "k1"),
        422,
        "idempotency-key-reused",
        "another body");
  }

  @Test
  void callsWithTheSameKeyAtTheSameTimeMakeOneChain() throws Exception {
    FakeRelay r1 = rig.live("r1");
    CountDownLatch release = new CountDownLatch(1);
    r1.before =
        exchange -> {
          if (exchange.getRequestMethod().equals("PUT")) {
            waitFor(release);
          }
          return false;
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<UUID>> calls =
          times(threads, 5, () -> rig.client().open(Rig.via("r1"), "k1").id());
      await().until(() -> r1.count("PUT") == 1);
      release.countDown();
      List<UUID> chains = new ArrayList<>();
      for (Future<UUID> call : calls) {
        chains.add(call.get(20, TimeUnit.SECONDS));
      }
      assertThat(chains).hasSize(5).containsOnly(chains.getFirst());
    }
    assertThat(r1.count("PUT")).isEqualTo(1);
    assertThat(rig.client().chains().chains()).hasSize(1);
  }

  @Test
  void relaysThatWaitForOneThatRefusesAreToldAtOnce() {
    FakeRelay waiting = rig.live("r1");
    FakeRelay refusing = rig.live("r2");
    CountDownLatch told = new CountDownLatch(1);
    AtomicBoolean toldInTime = new AtomicBoolean();
    waiting.before =
        exchange -> {
          if (exchange.getRequestMethod().equals("DELETE")) {
            told.countDown();
          } else if (exchange.getRequestMethod().equals("PUT")) {
            toldInTime.set(arrives(told)); // as a relay that waits for the next one
          }
          return false;
        };
    refusing.refuseParts(409, PORT_TAKEN, "taken");

    ProblemException problem =
        catchThrowableOfType(
            ProblemException.class, () -> rig.client().open(Rig.via("r1", "r2"), null));

    assertThat(problem.getMessage()).contains("r2: ").contains("taken");
    assertThat(toldInTime).isTrue();
    assertThat(waiting.held()).isEmpty();
  }

  @Test
  void aKeyWhoseAttemptFailedIsFreeAgain() {
    FakeRelay r1 = rig.live("r1");
    r1.refuseParts(409, PORT_TAKEN, "taken");
    ProblemException problem =
        catchThrowableOfType(ProblemException.class, () -> rig.client().open(Rig.via("r1"), "k1"));
    r1.behave();

    Chain chain = rig.client().open(Rig.via("r1"), "k1");

    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.id()).isNotEqualTo(problem.chainId());
  }

  private ProblemException refused(ChainRequest request) {
    return catchThrowableOfType(ProblemException.class, () -> rig.client().open(request, null));
  }

  private Rig.Response open(String body, String key) {
    return rig.call("POST", "/api/v1/chains", body, "Idempotency-Key", key);
  }

  private static String location(Rig.Response answer) {
    return "/api/v1/chains/"
        + io.cascade.api.Json.strict().readValue(answer.body(), Chain.class).id();
  }

  private static ChainRequest ifBetter(@Nullable List<String> via, Source source) {
    return ChainRequest.builder()
        .destination(Rig.DESTINATION)
        .via(via)
        .bytes(1L << 30)
        .source(source)
        .onlyIfBetter(true)
        .build();
  }

  /** Three relays of which the planner prefers the first, then the second. */
  private List<FakeRelay> choice() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");
    for (int i = 0; i < 3; i++) {
      double rtt = 10 * (i + 1);
      relays.get(i).probe = request -> FakeRelay.reached(request, 0, 0, rtt);
    }
    return relays;
  }

  private List<ChainState> states(UUID chain) {
    return rig.events().stream()
        .filter(event -> chain.equals(event.chainId()))
        .map(event -> event.state())
        .toList();
  }

  /** Nobody is answered before all have been asked. */
  private static Predicate<HttpExchange> meeting(String method, CyclicBarrier all) {
    return exchange -> {
      if (exchange.getRequestMethod().equals(method)) {
        try {
          all.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
          FakeRelay.answer(exchange, 500, "the others were not asked meanwhile");
          return true;
        }
      }
      return false;
    };
  }

  private static void waitFor(CountDownLatch latch) {
    boolean ignored = arrives(latch);
  }

  private static boolean arrives(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static <T> List<Future<T>> times(
      java.util.concurrent.ExecutorService threads, int times, Callable<T> call) {
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      running.add(threads.submit(call));
    }
    return running;
  }

  /**
   * 0.1 % on two hops of 20 ms: the first relay bridges six losses of both; the second has time.
   */
  @Test
  void aPlannedChainGivesItsRelaysTheRoomThatTheLossesOfTheirHopsTake() {
    FakeRelay near = rig.relay("near");
    FakeRelay far = rig.relay("far");
    near.probe = request -> FakeRelay.reached(request, 2, 2, 200);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 1);
    near.links.add(Rig.measured("far", 100_000, 100, 20));
    List.of(near, far).forEach(FakeRelay::live);
    await().until(() -> rig.client().links().links().size() == 1);
    Source source =
        Source.builder()
            .observations(
                List.of(
                    Observation.builder()
                        .to("near")
                        .sent(100_000L)
                        .lost(200L)
                        .rttMillis(20.0)
                        .build(),
                    Observation.builder()
                        .to("destination")
                        .sent(1_000L)
                        .lost(300L)
                        .rttMillis(300.0)
                        .build()))
            .congestionControl("reno")
            .build();
    Chain chain =
        rig.client()
            .open(
                ChainRequest.builder()
                    .destination(Rig.DESTINATION)
                    .maxRelays(2)
                    .bytes(1L << 30)
                    .source(source)
                    .leaseSeconds(3)
                    .build(),
                null);
    assertThat(chain.relays()).containsExactly("near", "far");

    assertThat(near.heldPart(chain.id()).options().bufferBytes())
        .isBetween(28_000_000L, 40_000_000L);
    assertThat(far.heldPart(chain.id()).options()).isNull();
  }
}
