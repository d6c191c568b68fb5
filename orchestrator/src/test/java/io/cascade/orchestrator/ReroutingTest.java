package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chains that lose a relay for good. */
@NullUnmarked
class ReroutingTest {
  private final ManualTime time = ManualTime.running();
  private Rig rig;
  private Crossing crossing;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
    crossing = Crossing.of(rig);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  /**
   * A source that reaches {@code near} only, from where {@code better} leads to the destination,
   * and {@code other} too, only slower.
   */
  record Crossing(FakeRelay near, FakeRelay better, FakeRelay other) {

    static Crossing of(Rig rig) {
      return of(rig::relay, rig::client);
    }

    static Crossing of(OrchestratorProcess orchestrator) {
      return of(orchestrator::relay, orchestrator::client);
    }

    private static Crossing of(
        Function<String, FakeRelay> relay, Supplier<OrchestratorClient> client) {
      Crossing made =
          new Crossing(relay.apply("near"), relay.apply("better"), relay.apply("other"));
      made.near.probe = request -> FakeRelay.reached(request, 2, 2, 200);
      made.better.probe = request -> FakeRelay.reached(request, 0, 0, 20);
      made.other.probe = request -> FakeRelay.reached(request, 0, 0, 30);
      made.near.links.add(Rig.measured("better", 100_000, 0, 20));
      made.near.links.add(Rig.measured("other", 100_000, 0, 30));
      made.near.neighbours.addAll(List.of(made.better, made.other));
      List.of(made.near, made.better, made.other).forEach(FakeRelay::live);
      await().until(() -> client.get().links().links().size() == 2);
      return made;
    }

    static ChainRequest request() {
      return request(null);
    }

    static ChainRequest request(@Nullable ChainOptions options) {
      Source source =
          Source.builder()
              .observations(
                  List.of(
                      Observation.builder()
                          .to("near")
                          .sent(100_000L)
                          .lost(10L)
                          .rttMillis(10.0)
                          .build(),
                      Observation.builder()
                          .to("destination")
                          .sent(1_000L)
                          .lost(300L)
                          .rttMillis(300.0)
                          .build()))
              .congestionControl("reno")
              .build();
      return ChainRequest.builder()
          .destination(Rig.DESTINATION)
          .maxRelays(2)
          .bytes(1L << 30)
          .source(source)
          .leaseSeconds(3)
          .options(options)
          .build();
    }

    List<FakeRelay> all() {
      return List.of(near, better, other);
    }
  }

  private Chain open() {
    Chain chain = rig.client().open(Crossing.request(), null);
    assertThat(chain.relays()).containsExactly("near", "better");
    return chain;
  }

  @Test
  void newStreamsGoAroundARelayThatIsLostAndTheChainSaysSo() {
    Chain chain = open();

    crossing.better().die();

    await().until(() -> rig.client().chain(chain.id()).relays().contains("other"));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    Chain now = rig.client().chain(chain.id());
    assertThat(now.relays()).containsExactly("near", "other");
    assertThat(now.reason())
        .isEqualTo("planned again without better, lost: new streams go via near, other");
    assertThat(now.ingress()).isEqualTo(chain.ingress());
    assertThat(now.plan().candidates())
        .anyMatch(candidate -> candidate.relays().equals(List.of("near", "other")));
    assertThat(crossing.other().heldPart(chain.id()).inlets().getFirst().relay().key())
        .isEqualTo(crossing.near().heldPart(chain.id()).outlets().getFirst().relay().key());
    assertThat(crossing.near().heldPart(chain.id()).outlets().getFirst().relay().port())
        .isEqualTo(crossing.other().hop().port());
    assertThat(messages(chain.id()))
        .anyMatch(message -> message.contains("better is lost"))
        .anyMatch(message -> message.contains("planned again without better"));
  }

  @Test
  void optionsOfAHopThatAShorterRouteHasNotAreLeftOutAndTheChainSaysSo() {
    Chain chain = rig.client().open(Crossing.request(hops(1)), null);
    assertThat(
            crossing
                .better()
                .heldPart(chain.id())
                .outlets()
                .getFirst()
                .options()
                .congestionControl())
        .isEqualTo("reno");

    crossing.other().die();
    crossing.better().die();

    await().until(() -> rig.client().chain(chain.id()).relays().equals(List.of("near")));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().chain(chain.id()).reason())
        .endsWith(
            "new streams go via near; left out, since this route is shorter: options of hop 1");
    assertThat(crossing.near().heldPart(chain.id()).outlets().getFirst().options()).isNull();
  }

  @Test
  void aRouteWithoutTheHopWhoseOptionsAreGivenIsNotOpened() {
    assertThatThrownBy(() -> rig.client().open(Crossing.request(hops(2)), null))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(400))
        .hasMessageContaining(
            "options.hops: hop 2 of a route via near, better (expected: 0 to 1, hop 1 being from"
                + " better to the destination)");
    assertThat(crossing.near().count("PUT")).isZero();
  }

  private static ChainOptions hops(int hop) {
    return Json.strict()
        .convertValue(
            Map.of("hops", List.of(Map.of("hop", hop, "congestionControl", "reno"))),
            ChainOptions.class);
  }

  @Test
  void theIngressKeepsItsPortAndItsRunningStreams() {
    Chain chain = open();

    crossing.better().die();
    await().until(() -> crossing.other().has(chain.id()));

    // The part that leads to the other relay names the port; the first one had left it open.
    await()
        .until(() ->
            crossing
                .near()
                .heldPart(chain.id())
                .inlets()
                .getFirst()
                .ingress()
                .port()
                .equals(chain.ingress().port()));
    assertThat(crossing.near().count("DELETE")).isZero();
  }

  @Test
  void aLostRelayThatComesBackGivesUpItsOldPart() {
    Chain chain = open();
    crossing.better().stopBeating(); // It still stands, and nobody hears of it.
    await().until(() -> crossing.other().has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(crossing.better().has(chain.id())).isTrue();

    crossing.better().live();

    await().until(() -> !crossing.better().has(chain.id()));
    assertThat(crossing.better().calls)
        .noneMatch(call -> call.method().equals("DELETE") && call.path().contains("abort=true"));
    assertThat(rig.client().chain(chain.id()).relays()).containsExactly("near", "other");
  }

  @Test
  void aRouteThatIsRefusedIsNotTheLastThatIsTried() {
    Chain chain = open();
    FakeRelay third = rig.relay("third");
    third.probe = request -> FakeRelay.reached(request, 0, 0, 40);
    third.live();
    crossing.near().links.add(Rig.measured("third", 100_000, 0, 40));
    await().until(() -> rig.client().links().links().size() == 3);
    crossing.other().refuseParts(503, "urn:cascade:problem:limit-reached", "too many chains");

    crossing.better().die();

    await().until(() -> third.has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().chain(chain.id()).relays()).containsExactly("near", "third");
  }

  @Test
  void whereNoOtherRouteLeadsItSaysSoAndTakesTheFirstThatDoes() {
    crossing.other().probe = FakeRelay::refused;
    crossing.near().probe = FakeRelay::refused;
    Chain chain = open();

    crossing.better().die();

    await()
        .untilAsserted(() ->
            assertThat(rig.client().chain(chain.id()).reason())
                .contains("better is lost")
                .contains("looking for another route; so far: "));
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.DEGRADED);
    crossing.other().probe = request -> FakeRelay.reached(request, 0, 0, 30);
    time.pass(Duration.ofSeconds(15)); // A probe counts for ten seconds.
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().chain(chain.id()).relays()).containsExactly("near", "other");
  }

  @Test
  void aChainWhoseIngressIsLostWaitsForIt() {
    Chain chain = open();

    crossing.near().stopBeating();

    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    assertThat(rig.client().chain(chain.id()).reason())
        .contains("near is lost")
        .endsWith("applications connect to this relay, so the chain waits for it");
    crossing.near().live();
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().chain(chain.id()).relays()).containsExactly("near", "better");
  }

  @Test
  void aChainWhoseRelaysWereNamedWaitsForThem() {
    Chain chain = rig.openVia("near", "better");

    crossing.better().stopBeating();

    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    assertThat(rig.client().chain(chain.id()).reason())
        .contains("better is lost")
        .endsWith("the chain's relays were named, so the chain waits for this relay");
    assertThat(crossing.other().has(chain.id())).isFalse();
  }

  private List<String> messages(UUID chain) {
    return rig.events().stream()
        .filter(event -> chain.equals(event.chainId()))
        .map(Event::message)
        .toList();
  }
}
