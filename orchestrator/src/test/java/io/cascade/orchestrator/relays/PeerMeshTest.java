package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RelayPeer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerMeshTest {
  @Test
  void fewRelaysMeasureAllOthers() {
    PeerMesh mesh = mesh(PeerMesh.MEAN_PEERS + 1);

    assertThat(mesh.of("r0").relays()).hasSize(PeerMesh.MEAN_PEERS);
    assertThat(names(mesh, "r0")).doesNotContain("r0");
  }

  @Test
  void ofManyEachMeasuresAboutAsManyOthersAndBothEndsMeasure() {
    PeerMesh mesh = mesh(1_000);
    double sum = 0;
    for (int i = 0; i < 1_000; i++) {
      String relay = "r" + i;
      Set<String> peers = names(mesh, relay);
      sum += peers.size();
      assertThat(peers).hasSizeBetween(PeerMesh.MEAN_PEERS / 3, PeerMesh.MEAN_PEERS * 2);
      for (String peer : List.copyOf(peers).subList(0, 3)) {
        assertThat(names(mesh, peer)).contains(relay);
      }
    }

    assertThat(sum / 1_000).isBetween(PeerMesh.MEAN_PEERS * 0.95, PeerMesh.MEAN_PEERS * 1.05);
  }

  @Test
  void everyRelayReachesEveryOtherOverTwoLinks() {
    PeerMesh mesh = mesh(1_000);
    Set<String> reached = new HashSet<>();
    for (String peer : names(mesh, "r7")) {
      reached.addAll(names(mesh, peer));
    }
    reached.addAll(names(mesh, "r7"));

    // By chance some of a thousand are not: (1 - (48/999)^2)^998 is a tenth.
    assertThat(reached).hasSizeGreaterThan(850);
  }

  @Test
  void aRelayThatGoesChangesThePeersOfFew() {
    PeerMesh before = mesh(1_000);
    PeerMesh after = mesh(999);
    long changed =
        IntStream.range(0, 999)
            .mapToObj(i -> "r" + i)
            .filter(relay -> !before.of(relay).version().equals(after.of(relay).version()))
            .count();

    assertThat(changed).isLessThan(200);
  }

  @Test
  void theVersionFollowsFromThePeersAlone() {
    assertThat(mesh(5).of("r1").version()).isEqualTo(mesh(5).of("r1").version());
    assertThat(mesh(5).of("r1").version()).isNotEqualTo(mesh(6).of("r1").version());
    PeerMesh elsewhere = new PeerMesh(List.of(new RelayPeer("r0", "192.0.2.1", 9)));
    assertThat(elsewhere.of("r1").version()).isNotEqualTo(mesh(1).of("r1").version());
  }

  private static PeerMesh mesh(int relays) {
    return new PeerMesh(
        IntStream.range(0, relays).mapToObj(i -> new RelayPeer("r" + i, "192.0.2.1", 7)).toList());
  }

  private static Set<String> names(PeerMesh mesh, String relay) {
    return mesh.of(relay).relays().stream().map(RelayPeer::name).collect(Collectors.toSet());
  }
}
