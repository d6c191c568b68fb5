package io.cascade.it;

import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * An orchestrator of this version and one of the version before over one PostgreSQL database, where
 * the property {@code previous} is set ({@code -Dprevious}), as for {@link TwoVersionsTest}.
 */
@EnabledIfSystemProperty(named = "previous", matches = ".+")
@NullUnmarked
@Timeout(600)
class TwoOrchestratorVersionsTest {
  private static final Path NOW = LauncherWithCaches.LAUNCHER;

  private static Path previous;

  @TempDir private Path folder;
  private OrchestratorPair pair;

  @BeforeAll
  static void buildTheVersionBefore() throws Exception {
    previous = PreviousVersion.launcherOrSkip();
  }

  @BeforeEach
  void start() throws IOException {
    pair = new OrchestratorPair(folder);
    for (int i = 0; i < 2; i++) {
      pair.reachedAt(URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd()));
    }
  }

  @AfterEach
  void stop() throws IOException {
    if (pair != null) {
      pair.close();
    }
  }

  @Test
  void thisOneTakesOverFromTheOneBeforeAndGivesBack() throws Exception {
    takesOverAndGivesBack(previous, NOW);
  }

  @Test
  void theOneBeforeTakesOverFromThisOneAndGivesBack() throws Exception {
    takesOverAndGivesBack(NOW, previous);
  }

  private void takesOverAndGivesBack(Path first, Path second) throws Exception {
    start(0, first);
    pair.awaitRole(0, OrchestratorRole.LEADER);
    start(1, second);
    pair.awaitRole(1, OrchestratorRole.STANDBY);
    pair.startRelays("r1", "r2");
    OrchestratorClient client = pair.client();
    Chain chain = open(0);
    try (Socket stream = OrchestratorPair.connect(chain);
        Socket end = pair.destination().accept()) {
      OrchestratorPair.pass(stream, end);

      pair.orchestrator(0).kill();
      pair.awaitRole(1, OrchestratorRole.LEADER);
      awaitReady(client, chain);
      OrchestratorPair.pass(stream, end);

      start(0, first);
      pair.awaitRole(0, OrchestratorRole.STANDBY);
      Chain later = open(1);
      pair.orchestrator(1).close();
      pair.awaitRole(0, OrchestratorRole.LEADER);
      awaitReady(client, chain);
      awaitReady(client, later);
      OrchestratorPair.pass(stream, end);
      for (Chain each : List.of(chain, later)) {
        Chain _ = client.close(each.id(), true);
        await()
            .atMost(OrchestratorPair.PATIENCE)
            .until(() -> client.chain(each.id()).state() == ChainState.CLOSED);
      }
    }
  }

  private void start(int which, Path launcher) throws Exception {
    Verb started =
        pair.start(which, launcher, pair.addresses().get(which).getAuthority(), pair.database());
    started.awaitLine("cascade orchestrator ready at");
  }

  private Chain open(int leader) {
    ControlPlane plane = new ControlPlane(pair.addresses().get(leader), null);
    await().atMost(OrchestratorPair.PATIENCE).ignoreExceptions().until(() -> plane.hearsOf(2));
    return pair.open(leader, pair.destination().getLocalPort(), "r1", "r2");
  }

  private static void awaitReady(OrchestratorClient client, Chain chain) {
    await()
        .atMost(OrchestratorPair.PATIENCE)
        .ignoreExceptionsMatching(OrchestratorPair::isAway)
        .until(() -> client.chain(chain.id()).state() == ChainState.READY);
  }
}
