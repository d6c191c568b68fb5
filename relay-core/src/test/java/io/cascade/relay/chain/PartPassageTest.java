package io.cascade.relay.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which parts a relay takes. */
class PartPassageTest {
  private static final Ingress INGRESS = Ingress.builder().port(0).build();
  private static final HopInlet BEFORE = HopInlet.builder().key("k".repeat(43)).build();
  private static final HopOutlet NEXT =
      HopOutlet.builder().host("next").port(7411).key("k".repeat(43)).build();
  private static final Egress EGRESS = Egress.builder().host("db").port(5432).build();

  @Test
  void anInletAndTheOutletBehindItPassBytesOn() throws PartRefused {
    PartInlet fromClients = PartInlet.builder().hop(hop(0, 0, 0)).ingress(INGRESS).build();
    PartOutlet onward = onward(0, 0, 1);
    List<PartPassage> plain = PartPassage.of(part(List.of(fromClients), List.of(onward)));
    assertThat(plain).containsExactly(new PartPassage(List.of(fromClients), List.of(onward)));
    assertThat(plain.getFirst().isJunction()).isFalse();
    assertThat(plain.getFirst().ingress()).isEqualTo(INGRESS);
  }

  @Test
  void aRelayBetweenJunctionsPassesEachPipeOnByItself() throws PartRefused {
    List<PartPassage> passages =
        PartPassage.of(
            part(
                List.of(before(1, 0, 0), before(1, 3, 0)),
                List.of(onward(1, 3, 1), onward(1, 0, 1))));
    assertThat(passages)
        .containsExactly(
            new PartPassage(List.of(before(1, 0, 0)), List.of(onward(1, 0, 1))),
            new PartPassage(List.of(before(1, 3, 0)), List.of(onward(1, 3, 1))))
        .noneMatch(PartPassage::isJunction);
  }

  @Test
  void aJunctionSplitsStreamsOfClientsIntoThePipesOfASegment() throws PartRefused {
    PartInlet fromClients = PartInlet.builder().hop(hop(0, 0, 0)).ingress(INGRESS).build();
    PartPassage passage =
        PartPassage.of(part(List.of(fromClients), List.of(onward(1, 0, 0), onward(1, 1, 0))))
            .getFirst();
    assertThat(passage.splits()).isTrue();
    assertThat(passage.combines()).isFalse();
    assertThat(passage.hasInlet(hop(0, 0, 0))).isTrue();
    assertThat(passage.hasInlet(hop(1, 0, 0))).isFalse();
  }

  @Test
  void aJunctionCombinesPipesForTheDestinationOrForTheNextSegment() throws PartRefused {
    List<PartInlet> pipes = List.of(before(1, 0, 1), before(1, 1, 0));
    PartPassage last =
        PartPassage.of(
                part(pipes, List.of(PartOutlet.builder().hop(hop(2, 0, 0)).egress(EGRESS).build())))
            .getFirst();
    assertThat(last.combines()).isTrue();
    assertThat(last.splits()).isFalse();
    PartPassage between =
        PartPassage.of(part(pipes, List.of(onward(2, 0, 0), onward(2, 1, 0)))).getFirst();
    assertThat(between.combines() && between.splits()).isTrue();
  }

  @ParameterizedTest
  @MethodSource
  void othersAreRefusedByName(List<PartInlet> inlets, List<PartOutlet> outlets, String message) {
    assertThatThrownBy(() -> PartPassage.of(part(inlets, outlets)))
        .isInstanceOfSatisfying(
            PartRefused.class,
            refused -> assertThat(refused.kind()).isEqualTo(PartRefused.Kind.INVALID))
        .hasMessage(message);
  }

  static Stream<Arguments> othersAreRefusedByName() {
    PartInlet first = PartInlet.builder().hop(hop(0, 0, 0)).ingress(INGRESS).build();
    PartInlet later = before(0, 0, 1);
    PartOutlet last = PartOutlet.builder().hop(hop(0, 0, 1)).egress(EGRESS).build();
    PartOutlet afterSegment = PartOutlet.builder().hop(hop(2, 0, 0)).egress(EGRESS).build();
    return Stream.of(
        Arguments.of(List.of(later, later), List.of(last), "inlets[1].hop: 0.0.1 twice"),
        Arguments.of(List.of(first), List.of(last, last), "outlets[1].hop: 0.0.1 twice"),
        Arguments.of(
            List.of(PartInlet.builder().hop(hop(0, 0, 0)).ingress(INGRESS).relay(BEFORE).build()),
            List.of(last),
            "inlets[0]: give one of ingress and relay"),
        Arguments.of(
            List.of(PartInlet.builder().hop(hop(0, 0, 0)).build()),
            List.of(last),
            "inlets[0]: give one of ingress and relay"),
        Arguments.of(
            List.of(first),
            List.of(PartOutlet.builder().hop(hop(0, 0, 1)).relay(NEXT).egress(EGRESS).build()),
            "outlets[0]: give one of relay and egress"),
        Arguments.of(
            List.of(PartInlet.builder().hop(hop(0, 0, 1)).ingress(INGRESS).build()),
            List.of(PartOutlet.builder().hop(hop(0, 0, 2)).egress(EGRESS).build()),
            "inlets[0].hop: 0.0.1 (expected: 0.0.0 with ingress, a later hop with relay)"),
        Arguments.of(
            List.of(PartInlet.builder().hop(hop(0, 0, 0)).relay(BEFORE).build()),
            List.of(last),
            "inlets[0].hop: 0.0.0 (expected: 0.0.0 with ingress, a later hop with relay)"),
        Arguments.of(
            List.of(first),
            List.of(onward(0, 1, 1)),
            "outlets: 0.1.1 (expected: 0.0.1, the one behind an inlet, or a first hop of segment"
                + " 1)"),
        Arguments.of(
            List.of(later),
            List.of(last),
            "outlets: 0.0.1 (expected: 0.0.2, the one behind an inlet, or a first hop of segment"
                + " 1)"),
        Arguments.of(
            List.of(first),
            List.of(onward(1, 1, 0)),
            "outlets: 1.1.0 (expected: every pipe of the segment, in order)"),
        Arguments.of(
            List.of(before(1, 0, 1)),
            List.of(afterSegment, onward(2, 1, 0)),
            "outlets: an egress beside others (expected: alone)"),
        Arguments.of(
            List.of(before(1, 0, 1)),
            List.of(afterSegment, PartOutlet.builder().hop(hop(2, 1, 0)).egress(EGRESS).build()),
            "outlets: 2 with egress (expected: at most 1)"),
        Arguments.of(
            List.of(before(1, 0, 1), before(2, 0, 1)),
            List.of(onward(2, 0, 0)),
            "inlets: 2.0.1 and 1.0.1 end here (expected: hops of one segment)"),
        Arguments.of(
            List.of(first, before(1, 0, 1)),
            List.of(onward(1, 0, 2)),
            "inlets: 0.0.0 has no outlet behind it"),
        Arguments.of(
            List.of(before(1, 0, 1)),
            List.of(onward(1, 0, 2), onward(2, 0, 0)),
            "outlets: 2.0.0 has no inlet before it"));
  }

  private static PartInlet before(int segment, int pipe, int hop) {
    return PartInlet.builder().hop(hop(segment, pipe, hop)).relay(BEFORE).build();
  }

  private static PartOutlet onward(int segment, int pipe, int hop) {
    return PartOutlet.builder().hop(hop(segment, pipe, hop)).relay(NEXT).build();
  }

  private static HopAddress hop(int segment, int pipe, int hop) {
    return new HopAddress(segment, pipe, hop);
  }

  private static ChainPart part(List<PartInlet> inlets, List<PartOutlet> outlets) {
    return ChainPart.builder().inlets(inlets).outlets(outlets).leaseSeconds(60).build();
  }
}
