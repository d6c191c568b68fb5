package io.cascade.it;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** All relays are restarted one after the other, as an upgrade does it. */
@ExtendWith(OnDocker.class)
@Timeout(300)
class RollingRestartTest {

  @Test
  void chainsAreWholeAgainAfterEachOfThem(DockerCluster cluster) throws Exception {
    for (String relay : DockerCluster.RELAYS) {
      try (Trial trial = Trial.of(cluster, "restarted: " + relay, relay)) {
        cluster.restart(relay);
        trial.recovers();
      }
    }
  }
}
