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
    try (ServerSocket destination = new ServerSocket(0);
        Socket client = new Socket()) {
      Chain chain =
          cluster.open(
              destination.getLocalPort(),
              List.of("near", "upper", "far"),
              Map.of("userTimeoutSeconds", 3));
      client.connect(cluster.ingress(chain), (int) DockerCluster.PATIENCE.toMillis());
      client.setSoTimeout((int) DockerCluster.PATIENCE.toMillis());
      try (Socket server = destination.accept()) {
        Thread.startVirtualThread(() -> writeUntilItBreaks(client));
        awaitStandstill(cluster, chain);
        cluster.cut("upper", "pacific");
        try {
          assertThatThrownBy(() -> client.getInputStream().read())
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

  private static void awaitStandstill(DockerCluster cluster, Chain chain) {
    long[] before = {-1};
    await()
        .atMost(DockerCluster.PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          long now =
              cluster.controlPlane().client().streams(chain.id()).streams().stream()
                  .mapToLong(stream -> stream.relays().getFirst().forwardBytesIn())
                  .sum();
          boolean still = now == before[0] && now > 0;
          before[0] = now;
          return still;
        });
  }

  private static void writeUntilItBreaks(Socket to) {
    byte[] piece = new byte[65_536];
    try {
      while (true) {
        to.getOutputStream().write(piece);
      }
    } catch (IOException e) {
      // the way was cut
    }
  }
}
