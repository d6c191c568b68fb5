package io.cascade.it;

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
  @ValueSource(strings = {"near", "upper", "lower", "far", "orchestrator", "database"})
  void onlyChainsThatGoThroughItNotice(String container, DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: " + container, container)) {
      cluster.kill(container);
      trial.isNoticed();
      trial.othersGoOn();
      cluster.startAgain(container);
      trial.recovers();
    }
  }

  @Test
  void aRelayWhileTheDatabaseIsAway(DockerCluster cluster) throws Exception {
    try (Trial trial = Trial.of(cluster, "killed: database, and upper meanwhile", "upper")) {
      cluster.kill(DockerCluster.DATABASE);
      cluster.kill("upper");
      cluster.startAgain("upper");
      trial.othersGoOn();
      cluster.startAgain(DockerCluster.DATABASE);
      trial.recovers();
    }
  }
}
