package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.testing.Postgres;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
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
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Path NOW = LauncherWithCaches.LAUNCHER;

  private static Path previous;

  @TempDir private Path folder;
  private Postgres postgres;
  private String database;
  private ServerSocket destination;
  private final List<URI> addresses = new ArrayList<>();
  private final Verb[] orchestrators = new Verb[2];
  private final List<Verb> relays = new ArrayList<>();

  @BeforeAll
  static void buildTheVersionBefore() throws Exception {
    previous = PreviousVersion.launcherOrSkip();
  }

  @BeforeEach
  void startDatabase() throws IOException {
    postgres = Postgres.startOrSkip();
    database = postgres.newDatabase();
    destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    destination.setSoTimeout((int) PATIENCE.toMillis());
    for (int i = 0; i < orchestrators.length; i++) {
      addresses.add(URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd()));
    }
  }

  @AfterEach
  void stop() throws IOException {
    relays.forEach(Verb::close);
    for (Verb orchestrator : orchestrators) {
      if (orchestrator != null) {
        orchestrator.close();
      }
    }
    if (postgres != null) {
      postgres.close();
    }
    if (destination != null) {
      destination.close();
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
    awaitRole(0, OrchestratorRole.LEADER);
    start(1, second);
    awaitRole(1, OrchestratorRole.STANDBY);
    startRelays();
    OrchestratorClient client = new OrchestratorClient(addresses, null);
    Chain chain = open(0);
    try (Socket stream = connect(chain);
        Socket end = destination.accept()) {
      pass(stream, end);

      orchestrators[0].kill();
      awaitRole(1, OrchestratorRole.LEADER);
      awaitReady(client, chain);
      pass(stream, end);

      start(0, first);
      awaitRole(0, OrchestratorRole.STANDBY);
      Chain later = open(1);
      orchestrators[1].close();
      awaitRole(0, OrchestratorRole.LEADER);
      awaitReady(client, chain);
      awaitReady(client, later);
      pass(stream, end);
      for (Chain each : List.of(chain, later)) {
        Chain _ = client.close(each.id(), true);
        await().atMost(PATIENCE).until(() -> client.chain(each.id()).state() == ChainState.CLOSED);
      }
    }
  }

  private void start(int which, Path launcher) throws Exception {
    orchestrators[which] =
        Verb.by(
            launcher,
            folder,
            "orchestrator",
            "--listen",
            addresses.get(which).getAuthority(),
            "--state-dir",
            folder.resolve("state" + which).toString(),
            "--database",
            database,
            "--database-user",
            Postgres.USER);
    orchestrators[which].awaitLine("cascade orchestrator ready at");
  }

  private void startRelays() throws Exception {
    for (String name : List.of("r1", "r2")) {
      Verb relay =
          Verb.start(
              folder,
              "relay",
              "--name",
              name,
              "--orchestrator",
              ServerAddress.joined(addresses),
              "--hop-port",
              "0",
              "--control-port",
              "0");
      relays.add(relay);
      relay.awaitLine("cascade relay " + name + " ready");
    }
  }

  private Chain open(int leader) {
    ControlPlane plane = new ControlPlane(addresses.get(leader), null);
    await().atMost(PATIENCE).ignoreExceptions().until(() -> plane.hearsOf(2));
    return plane.open("127.0.0.1:" + destination.getLocalPort(), List.of("r1", "r2"));
  }

  private static void awaitReady(OrchestratorClient client, Chain chain) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(TwoOrchestratorVersionsTest::isAway)
        .until(() -> client.chain(chain.id()).state() == ChainState.READY);
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof ProblemException || failure instanceof UnreachableException;
  }

  private void awaitRole(int which, OrchestratorRole role) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(orchestrators[which].running()).as(orchestrators[which].text()).isTrue();
          assertThat(role(which)).as(orchestrators[which].text()).isEqualTo(role);
        });
  }

  private @Nullable OrchestratorRole role(int which) {
    try {
      return new OrchestratorClient(addresses.get(which), null).health().role();
    } catch (UnreachableException | ProblemException e) {
      return null;
    }
  }

  private static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain), (int) PATIENCE.toMillis());
    return socket;
  }

  private static void pass(Socket client, Socket server) throws IOException {
    server.setSoTimeout((int) PATIENCE.toMillis());
    client.getOutputStream().write(7);
    assertThat(server.getInputStream().read()).isEqualTo(7);
  }
}
