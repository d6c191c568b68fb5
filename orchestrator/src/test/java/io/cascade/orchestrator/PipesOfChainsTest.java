package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeScheduler;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chains whose streams are carried by several pipes. */
@NullUnmarked
class PipesOfChainsTest extends RigTest {
  @Test
  void everyRelayGetsTheHopsOfItsPipesAndBothEndsOfAHopTheSameKey() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");

    Chain chain = open(null, List.of(List.of("a", "b", "z"), List.of("a", "c", "z")), null);

    ChainPart first = relays.get(0).heldPart(chain.id());
    assertThat(first.inlets()).extracting(PartInlet::hop).containsExactly(hop(0, 0, 0));
    assertThat(first.outlets())
        .extracting(PartOutlet::hop)
        .containsExactly(hop(1, 0, 0), hop(1, 1, 0));
    ChainPart middle = relays.get(2).heldPart(chain.id());
    assertThat(middle.inlets()).extracting(PartInlet::hop).containsExactly(hop(1, 1, 0));
    assertThat(middle.outlets()).extracting(PartOutlet::hop).containsExactly(hop(1, 1, 1));
    ChainPart last = relays.get(3).heldPart(chain.id());
    assertThat(last.inlets())
        .extracting(PartInlet::hop)
        .containsExactly(hop(1, 0, 1), hop(1, 1, 1));
    assertThat(last.outlets()).extracting(PartOutlet::hop).containsExactly(hop(2, 0, 0));
    assertThat(last.outlets().getFirst().egress()).isNotNull();
    assertThat(first.outlets().get(1).relay().key())
        .isEqualTo(middle.inlets().getFirst().relay().key())
        .isNotEqualTo(first.outlets().get(0).relay().key());
    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.relays()).containsExactlyInAnyOrder("a", "b", "c", "z");
    assertThat(chain.ingress()).isNotNull();
  }

  @Test
  void parallelPipesLeadThroughTheSameRelays() {
    List<FakeRelay> relays = rig.live("a", "b", "z");
    Chain chain = open(List.of("a", "b", "z"), null, 3);
    ChainPart middle = relays.get(1).heldPart(chain.id());
    assertThat(middle.inlets())
        .extracting(PartInlet::hop)
        .containsExactly(hop(1, 0, 0), hop(1, 1, 0), hop(1, 2, 0));
    assertThat(middle.outlets())
        .extracting(PartOutlet::hop)
        .containsExactly(hop(1, 0, 1), hop(1, 1, 1), hop(1, 2, 1));
  }

  @Test
  void atAJunctionOneSegmentEndsAndTheNextBegins() {
    List<FakeRelay> relays = rig.live("a", "b", "m", "c", "z");
    Chain chain =
        rig.client()
            .open(
                joined(List.of(List.of("a", "b", "m", "z"), List.of("a", "m", "c", "z")), "m"),
                null);

    assertThat(chain.route().segments()).hasSize(4);
    ChainPart junction = relays.get(2).heldPart(chain.id());
    assertThat(junction.inlets())
        .extracting(PartInlet::hop)
        .containsExactly(hop(1, 0, 1), hop(1, 1, 0));
    assertThat(junction.outlets())
        .extracting(PartOutlet::hop)
        .containsExactly(hop(2, 0, 0), hop(2, 1, 0));
    assertThat(relays.get(4).heldPart(chain.id()).inlets())
        .extracting(PartInlet::hop)
        .containsExactly(hop(2, 0, 0), hop(2, 1, 1));
  }

  @Test
  void aJunctionThatAPipeDoesNotLeadThroughIsRefused() {
    rig.live("a", "b", "m", "z");
    List<List<String>> pipes = List.of(List.of("a", "b", "z"), List.of("a", "m", "z"));
    assertThatThrownBy(() -> rig.client().open(joined(pipes, "m"), null))
        .hasMessageContaining("the pipe a,b,z does not lead through m");
    assertThatThrownBy(() -> rig.client().open(joined(pipes, "a"), null))
        .hasMessageContaining("between its ends");
    assertThatThrownBy(() -> rig.client().open(joined(null, "m"), null))
        .hasMessageContaining("without pipes to join");
  }

  private static ChainRequest joined(@Nullable List<List<String>> pipes, String junction) {
    return ChainRequest.builder()
        .destination(Rig.DESTINATION)
        .pipes(pipes)
        .junctions(List.of(junction))
        .build();
  }

  @Test
  void aMiddleRelayThatRestartsGetsItsPipeAgainUnderOtherKeysAndTheOtherPipeStays() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");
    UUID chain = open(null, List.of(List.of("a", "b", "z"), List.of("a", "c", "z")), null).id();
    ChainPart before = relays.get(0).heldPart(chain);

    relays.get(1).restart();

    await().until(() -> relays.get(1).has(chain));
    await().until(() -> rig.state(chain) == ChainState.READY);
    ChainPart after = relays.get(0).heldPart(chain);
    assertThat(after.outlets().get(0).relay().key())
        .isNotEqualTo(before.outlets().get(0).relay().key())
        .isEqualTo(relays.get(1).heldPart(chain).inlets().getFirst().relay().key());
    assertThat(after.outlets().get(1)).isEqualTo(before.outlets().get(1));
  }

  @Test
  void aMiddleRelayThatDrainsIsLeftByItsPipeUntilItServesAgain() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");
    UUID chain = open(null, List.of(List.of("a", "b", "z"), List.of("a", "c", "z")), null).id();
    ChainPart before = relays.get(0).heldPart(chain);
    assertThat(before.outlets()).extracting(PartOutlet::withdrawn).containsOnlyNulls();

    rig.client().drain("b");

    await().until(() -> relays.get(0).heldPart(chain).outlets().get(0).withdrawn() != null);
    ChainPart moved = relays.get(0).heldPart(chain);
    assertThat(moved.outlets()).extracting(PartOutlet::withdrawn).containsExactly(true, null);
    assertThat(moved.outlets()).extracting(PartOutlet::relay).isEqualTo(relaysOf(before));
    assertThat(rig.state(chain)).isEqualTo(ChainState.READY);
    assertThat(rig.events())
        .anyMatch(event -> event.message().contains("leave pipe 1.0: b takes no new streams"));

    rig.client().useAgain("b");

    await().until(() -> relays.get(0).heldPart(chain).outlets().get(0).withdrawn() == null);
  }

  /** Relays a and z, and others that reach both by measured links of these losses in 100,000. */
  private List<FakeRelay> between(Map<String, Long> losses) {
    FakeRelay first = rig.relay("a");
    FakeRelay last = rig.relay("z");
    List<FakeRelay> all = new ArrayList<>(List.of(first));
    losses.forEach((name, lost) -> {
      FakeRelay middle = rig.relay(name);
      first.links.add(Rig.measured(name, 100_000, lost, 20));
      middle.links.add(Rig.measured("z", 100_000, lost, 20));
      all.add(middle);
    });
    all.add(last);
    all.forEach(FakeRelay::live);
    await().until(() -> rig.client().links().links().size() == 2 * losses.size());
    return all;
  }

  private Chain openRoutes(int routes) {
    return openRoutes(routes, null);
  }

  private Chain openRoutes(int routes, @Nullable Long bytes) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("a", "z"))
                .bytes(bytes)
                .routes(routes)
                .build(),
            null);
  }

  private static List<List<String>> middles(Chain chain) {
    return chain.route().segments().get(1).pipes().stream()
        .map(pipe -> pipe.hops().stream().skip(1).map(hop -> hop.from()).toList())
        .toList();
  }

  @Test
  void thePlannerChoosesTheRoutesAndSaysWhatEachIsExpectedToCarry() {
    between(Map.of("b", 100L, "c", 100L, "d", 4_000L));
    Chain chain = openRoutes(2);

    assertThat(middles(chain)).containsExactlyInAnyOrder(List.of("b"), List.of("c"));
    assertThat(chain.plan().candidates())
        .filteredOn(candidate -> candidate.kind() == CandidateKind.MULTIPATH)
        .singleElement()
        .satisfies(together -> {
          assertThat(together.shares())
              .extracting(RouteShare::relays)
              .containsExactlyInAnyOrder(List.of("a", "b", "z"), List.of("a", "c", "z"));
          assertThat(together.shares().stream().mapToDouble(RouteShare::share).sum())
              .isCloseTo(1, within(1e-9));
        });
    await().until(() -> rig.client().statistics().chains().size() == 1);
    assertThat(rig.client().statistics().chains().getFirst().hops())
        .filteredOn(hop -> hop.hop().segment() == 1 && hop.hop().hop() == 0)
        .allSatisfy(hop -> assertThat(hop.predictedPipeShare()).isCloseTo(0.5, within(0.05)));
  }

  @Test
  void whereASecondRouteDoesNotPayTheChainSaysSoAndHasItAllTheSame() {
    between(Map.of("b", 100L, "c", 100L));
    Chain chain = openRoutes(2, 1_000L);

    assertThat(middles(chain)).hasSize(2).doesNotHaveDuplicates();
    assertThat(chain.plan().notes()).anyMatch(note -> note.contains("is predicted to add no rate"));
  }

  @Test
  void fewerRoutesThanWereAskedForAreSaidToBeFewer() {
    between(Map.of("b", 100L, "c", 100L));

    assertThat(openRoutes(4).plan().notes())
        .anyMatch(note -> note.startsWith("4 pipes were asked for between a and z"));
  }

  @Test
  void aPipeWhoseRelayIsLostOrDrainsIsLedAroundItAndTheOtherOneStays() {
    List<FakeRelay> relays = between(Map.of("b", 100L, "c", 100L, "d", 4_000L));
    Chain chain = openRoutes(2);
    int place = middles(chain).indexOf(List.of("b"));
    List<PartOutlet> before = relays.getFirst().heldPart(chain.id()).outlets();

    rig.client().drain("b");

    await().until(() -> middles(rig.client().chain(chain.id())).get(place).equals(List.of("d")));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    List<PartOutlet> after = relays.getFirst().heldPart(chain.id()).outlets();
    assertThat(after.get(1 - place)).isEqualTo(before.get(1 - place));
    assertThat(after.get(place).relay()).isNotEqualTo(before.get(place).relay());
    await()
        .untilAsserted(() ->
            assertThat(rig.events())
                .anyMatch(event -> event.message().contains("without b, draining")));
  }

  private static List<HopOutlet> relaysOf(ChainPart part) {
    return part.outlets().stream().map(PartOutlet::relay).toList();
  }

  @Test
  void routesThatAreNoneAreRefusedWithTheFix() {
    rig.live("a", "b", "c", "z");
    refused(null, List.of(List.of("a", "b", "z"), List.of("a", "c")), null, "from a to z");
    refused(null, List.of(List.of("a", "b", "z"), List.of("b", "c", "z")), null, "from a to z");
    refused(List.of("a", "z"), List.of(List.of("a", "z")), null, "one of both");
    refused(null, List.of(List.of("a", "z")), 2, "name a pipe twice");
    refused(null, List.of(List.of("a", "b", "b", "z")), null, "each relay once");
    refused(List.of("a"), null, 2, "two relays or more");
    assertThatThrownBy(() -> openRoutes(2)).hasMessageContaining("no measured route");
    refused(null, List.of(List.of("a", "nobody", "z")), null, "nobody");
  }

  @Test
  void theSchedulerReachesTheRelaysAndNeedsPipes() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");
    ChainOptions options =
        Json.strict().convertValue(Map.of("scheduler", "DUPLICATE"), ChainOptions.class);
    List<List<String>> pipes = List.of(List.of("a", "b", "z"), List.of("a", "c", "z"));

    Chain chain = open(null, pipes, null, options);

    assertThat(relays)
        .extracting(relay -> relay.heldPart(chain.id()).options().scheduler())
        .containsOnly(PipeScheduler.DUPLICATE);
    assertThatThrownBy(() -> open(List.of("a", "z"), null, null, options))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("no pipes to choose from");
  }

  @Test
  void junctionsMayHoldMoreOfAStreamThanTheRelaysBetween() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");
    List<List<String>> pipes = List.of(List.of("a", "b", "z"), List.of("a", "c", "z"));

    Chain silent = open(null, pipes, null);
    for (FakeRelay junction : List.of(relays.getFirst(), relays.getLast())) {
      assertThat(junction.heldPart(silent.id()).options().bufferBytes())
          .isBetween(4L << 20, 64L << 20);
    }
    assertThat(relays.subList(1, 3))
        .allSatisfy(between -> assertThat(between.heldPart(silent.id()).options()).isNull());

    Chain own =
        open(
            null,
            pipes,
            null,
            Json.strict().convertValue(Map.of("bufferBytes", 2 << 20), ChainOptions.class));
    assertThat(relays)
        .extracting(relay -> relay.heldPart(own.id()).options().bufferBytes())
        .containsOnly(2L << 20);
  }

  @Test
  void howLongStreamsWaitForAPipeReachesTheRelaysAndNeedsPipes() {
    List<FakeRelay> relays = rig.live("a", "b", "c", "z");
    ChainOptions options =
        Json.strict().convertValue(Map.of("patienceSeconds", 7), ChainOptions.class);
    List<List<String>> pipes = List.of(List.of("a", "b", "z"), List.of("a", "c", "z"));

    Chain chain = open(null, pipes, null, options);

    assertThat(relays)
        .extracting(relay -> relay.heldPart(chain.id()).options().patienceSeconds())
        .containsOnly(7);
    assertThatThrownBy(() -> open(List.of("a", "z"), null, null, options))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("no pipes to wait for");
    ChainOptions tooLong =
        Json.strict().convertValue(Map.of("patienceSeconds", 3_601), ChainOptions.class);
    assertThatThrownBy(() -> open(null, pipes, null, tooLong))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("patienceSeconds");
  }

  private void refused(
      @Nullable List<String> via,
      @Nullable List<List<String>> pipes,
      @Nullable Integer parallel,
      String words) {
    assertThatThrownBy(() -> open(via, pipes, parallel))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining(words);
  }

  private Chain open(
      @Nullable List<String> via, @Nullable List<List<String>> pipes, @Nullable Integer parallel) {
    return open(via, pipes, parallel, null);
  }

  private Chain open(
      @Nullable List<String> via,
      @Nullable List<List<String>> pipes,
      @Nullable Integer parallel,
      @Nullable ChainOptions options) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(via)
                .options(options)
                .pipes(pipes)
                .parallel(parallel)
                .build(),
            null);
  }

  private static HopAddress hop(int segment, int pipe, int hop) {
    return new HopAddress(segment, pipe, hop);
  }
}
