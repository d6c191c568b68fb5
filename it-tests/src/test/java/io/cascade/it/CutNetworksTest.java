package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.ChainState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Containers are taken off networks under load, and put back; one stands still for a while. */
@ExtendWith(OnDocker.class)
@Timeout(300)
class CutNetworksTest {
  private static final List<String> ALL = List.of("west", "atlantic", "pacific", "east");

  @Test
  void aHopThatIsCutStopsItsChainOnly(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "cut: upper from pacific")) {
      cluster.cut("upper", "pacific");
      trial.awaitFlow(DockerCluster.PATIENCE, Trial.LOWER);
      cluster.heal("upper", "pacific");
      trial.recovers();
      trial.wasNotTouched(Trial.LOWER);
    }
  }

  @Test
  void relaysThatTheOrchestratorDoesNotReachGoOn(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "cut: orchestrator from every relay")) {
      ALL.stream().skip(1).forEach(network -> cluster.cut(DockerCluster.ORCHESTRATOR, network));
      // By way of west it still hears of near and is asked by this test.
      await()
          .atMost(DockerCluster.PATIENCE)
          .until(() -> trial.chain(Trial.UPPER).state() == ChainState.DEGRADED);
      assertThat(trial.chain(Trial.UPPER).reason()).contains("upper is lost");
      trial.awaitFlow();
      ALL.stream().skip(1).forEach(network -> cluster.heal(DockerCluster.ORCHESTRATOR, network));
      trial.recovers();
      trial.wasNotTouched(Trial.UPPER);
      trial.wasNotTouched(Trial.LOWER);
    }
  }

  @Test
  void aPausedRelayHoldsUpItsChainOnly(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "paused: upper")) {
      cluster.pause("upper");
      try {
        await()
            .atMost(DockerCluster.PATIENCE)
            .until(() -> trial.chain(Trial.UPPER).state() == ChainState.DEGRADED);
        trial.awaitFlow(DockerCluster.PATIENCE, Trial.LOWER);
      } finally {
        cluster.resume("upper");
      }
      trial.recovers();
      trial.wasNotTouched(Trial.LOWER);
    }
  }
}
