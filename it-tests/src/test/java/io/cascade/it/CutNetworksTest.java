package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Containers are taken off networks under load, and put back; one stands still for a while. */
@ExtendWith(OnDocker.class)
@Timeout(300)
class CutNetworksTest {
  private static final List<String> RELAYS_ONLY = List.of("atlantic", "pacific", "east");

  /** Three seconds in which nothing moves: no window opens then that nobody reads. */
  private static final int LOOKS_AT_A_STANDSTILL = 300;

  @Test
  void aHopThatIsCutStopsItsChainOnly(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "cut: upper from pacific", "upper")) {
      cluster.cut("upper", "pacific");
      trial.othersGoOn();
      cluster.heal("upper", "pacific");
      trial.recovers();
    }
  }

  @Test
  void relaysThatTheOrchestratorDoesNotReachGoOn(DockerCluster cluster) throws Exception {
    String orchestrator = DockerCluster.ORCHESTRATOR;
    try (Trial trial = Trial.of(cluster, "cut: orchestrator from every relay", orchestrator)) {
      RELAYS_ONLY.forEach(network -> cluster.cut(orchestrator, network));
      // By way of west this test asks it, and near reaches it, once it looks for another address.
      await()
          .atMost(DockerCluster.PATIENCE)
          .until(() -> trial.chain(Trial.UPPER).state() == ChainState.DEGRADED);
      assertThat(trial.chain(Trial.UPPER).reason())
          .containsPattern("(near|upper|far) is lost: silent since");
      trial.othersGoOn();
      RELAYS_ONLY.forEach(network -> cluster.heal(orchestrator, network));
      trial.recovers();
    }
  }

  @Test
  void aPausedRelayHoldsUpItsChainOnly(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "paused: upper", "upper")) {
      cluster.pause("upper");
      try {
        trial.isNoticed();
        trial.othersGoOn();
      } finally {
        cluster.resume("upper");
      }
      trial.recovers();
    }
  }

  /** Nothing is on its way then that could go unacknowledged: every window is shut. */
  @Test
  void aStreamThatIsHeldUpIsResetWhenItsWayIsCut(DockerCluster cluster) throws Exception {
    try (ServerSocket destination = new ServerSocket(0)) {
      Chain chain =
          cluster.open(
              destination.getLocalPort(),
              List.of("near", "upper", "far"),
              Map.of("userTimeoutSeconds", 3));
      try (SocketChannel client = SocketChannel.open(cluster.ingress(chain));
          Socket server = destination.accept()) {
        writeToStandstill(client);
        client.socket().setSoTimeout((int) DockerCluster.PATIENCE.toMillis());
        cluster.cut("upper", "pacific");
        try {
          assertThatThrownBy(() -> client.socket().getInputStream().read())
              .as("it ends while nobody reads at %s", server.getLocalSocketAddress())
              .isInstanceOf(SocketException.class);
        } finally {
          cluster.heal("upper", "pacific");
        }
      } finally {
        Chain _ = cluster.controlPlane().client().close(chain.id(), true);
      }
    }
  }

  /**
   * Writes on this thread, which then reads: of two that wait on one socket only the first is told
   * of a reset, and the other one sees an end.
   */
  private static void writeToStandstill(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    ByteBuffer piece = ByteBuffer.allocateDirect(65_536);
    int[] looks = {0};
    await()
        .atMost(DockerCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> {
          while (client.write(piece.clear()) > 0) {
            looks[0] = 0;
          }
          return ++looks[0] == LOOKS_AT_A_STANDSTILL;
        });
    client.configureBlocking(true);
  }
}
