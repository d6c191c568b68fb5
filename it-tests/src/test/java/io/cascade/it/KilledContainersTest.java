package io.cascade.it;

import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.ChainState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every container is killed in turn, under load, and started again. */
@ExtendWith(OnDocker.class)
@Timeout(300)
class KilledContainersTest {

  @ParameterizedTest
  @ValueSource(strings = {"near", "far"})
  void aRelayThatAllChainsGoThrough(String relay, DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: " + relay)) {
      cluster.kill(relay);
      await()
          .atMost(DockerCluster.PATIENCE)
          .until(() -> trial.chain(Trial.LOWER).state() == ChainState.DEGRADED);
      cluster.startAgain(relay);
      trial.recovers();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"upper", "lower"})
  void aRelayThatOneChainGoesThroughIsNotNoticedByTheOther(String relay, DockerCluster cluster)
      throws Exception {
    String other = relay.equals(Trial.UPPER) ? Trial.LOWER : Trial.UPPER;
    try (Trial trial = Trial.of(cluster, "killed: " + relay)) {
      cluster.kill(relay);
      await()
          .atMost(DockerCluster.PATIENCE)
          .until(() -> trial.chain(relay).state() == ChainState.DEGRADED);
      trial.awaitFlow(DockerCluster.PATIENCE, other);
      cluster.startAgain(relay);
      trial.recovers();
      trial.wasNotTouched(other);
    }
  }

  @Test
  void theOrchestratorIsNotNoticedByAnyStream(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: orchestrator")) {
      cluster.kill(DockerCluster.ORCHESTRATOR);
      trial.awaitFlow();
      cluster.startAgain(DockerCluster.ORCHESTRATOR);
      trial.recovers();
      trial.wasNotTouched(Trial.UPPER);
      trial.wasNotTouched(Trial.LOWER);
    }
  }

  @Test
  void theDatabaseIsNotNoticedByAnyStream(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: database")) {
      cluster.kill(DockerCluster.DATABASE);
      trial.awaitFlow();
      cluster.startAgain(DockerCluster.DATABASE);
      trial.recovers();
      trial.wasNotTouched(Trial.UPPER);
      trial.wasNotTouched(Trial.LOWER);
    }
  }

  @Test
  void aRelayWhileTheDatabaseIsAway(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: database, and upper meanwhile")) {
      cluster.kill(DockerCluster.DATABASE);
      cluster.kill("upper");
      cluster.startAgain("upper");
      trial.awaitFlow(DockerCluster.PATIENCE, Trial.LOWER);
      cluster.startAgain(DockerCluster.DATABASE);
      trial.recovers();
      trial.wasNotTouched(Trial.LOWER);
    }
  }
}
