package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.List;
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
    refused(null, List.of(List.of("a", "nobody", "z")), null, "nobody");
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
    return rig.client()
        .open(
            new ChainRequest(
                Rig.DESTINATION,
                null,
                via,
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
                null,
                pipes,
                parallel),
            null);
  }

  private static HopAddress hop(int segment, int pipe, int hop) {
    return new HopAddress(segment, pipe, hop);
  }
}
