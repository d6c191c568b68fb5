package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.testing.Postgres;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two orchestrators over one PostgreSQL database, each with TLS and a key of its own, and two
 * relays that know both and pin both keys. Each test is run as often as the property {@code
 * cascade.failovers} says, once by default, over the same cluster.
 */
@NullUnmarked
@Timeout(1800)
class FailoverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = Integer.getInteger("cascade.failovers", 1);

  @TempDir private Path folder;
  private Postgres postgres;
  private String database;
  private final List<URI> addresses = new ArrayList<>();
  private final Verb[] orchestrators = new Verb[2];
  private final List<Verb> relays = new ArrayList<>();
  private OrchestratorClient client;
  private ServerSocket destination;

  @BeforeEach
  void start() throws Exception {
    postgres = Postgres.startOrSkip();
    database = postgres.newDatabase();
    for (int i = 0; i < 2; i++) {
      addresses.add(URI.create("https://127.0.0.1:" + ReservedPort.untilTheEnd()));
      addresses.set(i, startOrchestrator(i));
    }
    client = new OrchestratorClient(addresses, null);
    for (int i = 1; i <= 2; i++) {
      Verb relay =
          Verb.start(
              folder,
              "relay",
              "--name",
              "r" + i,
              "--orchestrator",
              ServerAddress.joined(addresses),
              "--hop-port",
              "0",
              "--control-port",
              "0");
      relays.add(relay);
      relay.awaitLine("cascade relay r" + i + " ready");
    }
    await().atMost(PATIENCE).until(() -> client.relays().relays().size() == 2);
    destination = new ServerSocket(0);
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
  void theLeaderIsKilled() throws Exception {
    survives(
        "killed",
        leader -> {
          orchestrators[leader].kill();
          awaitLeader(leader);
          startOrchestrator(leader);
        });
  }

  @Test
  void theLeaderIsPausedAndGoesOn() throws Exception {
    survives(
        "paused",
        leader -> {
          orchestrators[leader].signal("STOP");
          awaitLeader(leader);
          orchestrators[leader].signal("CONT");
          awaitStandby(leader);
        });
  }

  @Test
  void theDatabaseIsRestarted() throws Exception {
    survives(
        "database restarted",
        _ -> {
          postgres.stop();
          postgres.startAgain();
        });
  }

  private interface Fault {
    void happens(int leader) throws Exception;
  }

  /** A chain with a stream outlives the fault, and so do the chains that were opened before. */
  private void survives(String what, Fault fault) throws Exception {
    Chain chain = open("r1", "r2");
    Set<UUID> open = new HashSet<>(Set.of(chain.id()));
    try (Socket stream = connect(chain);
        Socket end = destination.accept()) {
      pass(stream, end);
      for (int round = 1; round <= ROUNDS; round++) {
        int leader = leader();
        long epoch = epoch(leader);
        long began = System.nanoTime();
        fault.happens(leader);
        await()
            .atMost(PATIENCE)
            .ignoreExceptionsMatching(FailoverTest::isAway)
            .until(this::isWhole);
        System.out.printf(
            "%s, round %d: epoch %d then %d; answered and whole after %.1f s%n",
            what, round, epoch, epoch(leader()), (System.nanoTime() - began) / 1e9);
        pass(stream, end);
        assertHeldOnce(open);
        Chain next = open("r2", "r1");
        try (Socket one = connect(next);
            Socket other = destination.accept()) {
          pass(one, other);
        }
        client.close(next.id(), false);
        assertHeldOnce(open);
      }
    }
  }

  private Chain open(String first, String second) {
    return new ControlPlane(addresses.get(leader()), null)
        .open("127.0.0.1:" + destination.getLocalPort(), List.of(first, second));
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof ProblemException || failure instanceof UnreachableException;
  }

  /** Whether a leader has heard of all relays and chains. */
  private boolean isWhole() {
    return client.relays().relays().stream()
            .allMatch(relay -> Objects.equals(relay.status().name(), "UP"))
        && client.chains().chains().stream()
            .allMatch(
                chain -> chain.state() == ChainState.READY || chain.state() == ChainState.CLOSED);
  }

  private void assertHeldOnce(Set<UUID> chains) {
    for (Verb relay : relays) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> {
            List<PartStatus> held = control(relay).list(PATIENCE).parts();
            assertThat(held).allMatch(part -> part.state() == PartState.READY);
            assertThat(held.stream().map(PartStatus::chainId).toList())
                .containsExactlyInAnyOrderElementsOf(chains);
          });
    }
  }

  private static RelayControlClient control(Verb relay) throws Exception {
    return new RelayControlClient(
        URI.create(relay.awaitLine("ready: control (http://[0-9.:]+)").group(1)), null);
  }

  private int leader() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(FailoverTest::isAway)
        .until(() -> !client.relays().relays().isEmpty());
    return addresses.stream()
        .map(at -> ServerAddress.of(at).base())
        .toList()
        .indexOf(client.address());
  }

  private void awaitLeader(int otherThan) {
    await().atMost(PATIENCE).until(() -> isLeader(1 - otherThan));
  }

  private void awaitStandby(int which) {
    await().atMost(PATIENCE).until(() -> role(which) == OrchestratorRole.STANDBY);
  }

  private boolean isLeader(int which) {
    return role(which) == OrchestratorRole.LEADER;
  }

  private OrchestratorRole role(int which) {
    try {
      return health(which).role();
    } catch (UnreachableException | ProblemException e) {
      return null;
    }
  }

  private long epoch(int which) {
    return health(which).epoch();
  }

  private OrchestratorHealth health(int which) {
    return new OrchestratorClient(addresses.get(which), null).health();
  }

  /** Returns where it says that it serves, with its pins. */
  private URI startOrchestrator(int which) throws Exception {
    orchestrators[which] =
        Verb.start(
            folder,
            "orchestrator",
            "--listen",
            addresses.get(which).getAuthority(),
            "--tls",
            "on",
            "--state-dir",
            folder.resolve("state" + which).toString(),
            "--database",
            database,
            "--database-user",
            Postgres.USER);
    return URI.create(
        orchestrators[which]
            .awaitLine("cascade orchestrator ready at (https://[0-9.:]+#sha256-\\S+)")
            .group(1));
  }

  private static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain));
    return socket;
  }

  private static void pass(Socket client, Socket server) throws IOException {
    server.setSoTimeout((int) PATIENCE.toMillis());
    client.getOutputStream().write(7);
    assertThat(server.getInputStream().read()).isEqualTo(7);
  }
}
