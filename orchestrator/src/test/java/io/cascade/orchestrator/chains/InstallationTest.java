package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.Segment;
import io.cascade.contract.RouteHops;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InstallationTest {
  private final HopKeys fresh = new HopKeys();
  private final Installation first =
      Installation.on(7, RelayPipes.plain(List.of("a", "b", "c", "d")), true, 0, false, fresh)
          .reachedAt(new Endpoint("198.51.100.1", 40_123));

  @Test
  void everyHopBetweenRelaysHasARandomKeyOf32Bytes() {
    assertThat(first.keys()).containsOnlyKeys("0.0.1", "0.0.2", "0.0.3");
    assertThat(first.keys().values())
        .doesNotHaveDuplicates()
        .allSatisfy(key -> assertThat(Base64.getDecoder().decode(key)).hasSize(32));
  }

  @Test
  void aRestartedRelaySharesNoOldKeyWithEitherNeighbour() {
    Installation after = first.again(Set.of("b"), fresh);

    assertThat(after.key(hop(1))).isNotEqualTo(first.key(hop(1)));
    assertThat(after.key(hop(2))).isNotEqualTo(first.key(hop(2)));
    assertThat(after.key(hop(3))).isEqualTo(first.key(hop(3)));
    assertThat(first.touchedBy(Set.of("b"))).containsExactly("a", "b", "c");
  }

  @Test
  void aRestartedEgressTouchesOnlyItsPredecessor() {
    assertThat(first.touchedBy(Set.of("d"))).containsExactly("c", "d");
  }

  @Test
  void aRestartedJunctionTouchesItsNeighboursInEveryPipe() {
    Installation split =
        new Installation(
            RouteHops.of(
                new Route(
                    List.of(
                        new Segment(List.of(pipe("source", "a"))),
                        new Segment(List.of(pipe("a", "b", "d"), pipe("a", "c", "d"))),
                        new Segment(List.of(pipe("d", "destination")))))),
            Map.of("1.0.0", "k0", "1.0.1", "k1", "1.1.0", "k2", "1.1.1", "k3"),
            0,
            null,
            false,
            1,
            null);

    assertThat(split.touchedBy(Set.of("d"))).containsExactly("b", "d", "c");
    assertThat(split.touchedBy(Set.of("b"))).containsExactly("a", "b", "d");
    assertThat(split.again(Set.of("b"), fresh).keys())
        .containsEntry("1.1.0", "k2")
        .containsEntry("1.1.1", "k3")
        .doesNotContainEntry("1.0.0", "k0")
        .doesNotContainEntry("1.0.1", "k1");
  }

  @Test
  void pipesThatStayAsTheyAreKeepTheirKeysWhenOthersLeadElsewhere() {
    Installation two =
        Installation.on(
            1,
            new RelayPipes(
                List.of(List.of("a", "b", "d"), List.of("a", "c", "d")), List.of(), true),
            false,
            0,
            false,
            fresh);
    Installation after =
        two.around(
            new RelayPipes(
                List.of(List.of("a", "e", "d"), List.of("a", "c", "d")), List.of(), true),
            false,
            fresh);

    assertThat(after.revision()).isEqualTo(2);
    for (String kept : List.of("1.1.0", "1.1.1")) {
      assertThat(after.keys().get(kept)).isEqualTo(two.keys().get(kept));
    }
    for (String renewed : List.of("1.0.0", "1.0.1")) {
      assertThat(after.keys().get(renewed)).isNotEqualTo(two.keys().get(renewed));
    }
  }

  private static Pipe pipe(String... nodes) {
    return new Pipe(
        IntStream.range(1, nodes.length)
            .mapToObj(i ->
                Hop.builder().from(nodes[i - 1]).to(nodes[i]).transport(HopTransport.TCP).build())
            .toList());
  }

  private static HopAddress hop(int hop) {
    return new HopAddress(0, 0, hop);
  }

  @Test
  void aRestartedIngressIsAskedForThePortThatApplicationsKnow() {
    assertThat(first.again(Set.of("a"), fresh).askedPort()).isEqualTo(40_123);
  }

  @Test
  void anIngressThatLivesIsAskedForTheSameAsBeforeSoThatItKeepsItsListener() {
    assertThat(first.again(Set.of("b"), fresh).askedPort()).isZero();
  }

  @Test
  void keysAreThoseOfTheHopsBetweenRelays() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Installation(first.route(), Map.of(), 0, null, false, 1, null))
        .withMessageStartingWith("keys of []");
  }

  @Test
  void itIsReadAsItWasStored() {
    String stored = Json.lenient().writeValueAsString(first);

    assertThat(Json.lenient().readValue(stored, Installation.class)).isEqualTo(first);
  }

  @Test
  void whateverIsPutOnRelaysLaterHasAHigherRevision() {
    assertThat(first.revision()).as("with its address known, the same").isEqualTo(7);
    assertThat(first.again(Set.of("b"), fresh).revision()).isEqualTo(8);
    assertThat(first.around(RelayPipes.plain(List.of("a", "e")), true, fresh).revision())
        .isEqualTo(8);
    assertThat(
            first
                .again(Set.of("b"), fresh)
                .around(RelayPipes.plain(List.of("a")), true, fresh)
                .revision())
        .isEqualTo(9);
  }

  @Test
  void keysAreInNoText() {
    assertThat(first.toString()).doesNotContain(first.keys().values());
  }
}
