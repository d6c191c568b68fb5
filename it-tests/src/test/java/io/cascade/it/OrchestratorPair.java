package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.testing.Postgres;
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

/**
 * Two orchestrators over one PostgreSQL database of the test's own, relays that know both, and a
 * destination for streams. Closing it ends all of them.
 */
@NullUnmarked
final class OrchestratorPair implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path folder;
  private final Postgres postgres = Postgres.startOrSkip();
  private final String database = postgres.newDatabase();
  private final ServerSocket destination;
  private final List<URI> addresses = new ArrayList<>();
  private final Verb[] orchestrators = new Verb[2];
  private final List<Verb> relays = new ArrayList<>();

  /** Starts the database; skips the test, loudly, where PostgreSQL is not installed. */
  OrchestratorPair(Path folder) throws IOException {
    this.folder = folder;
    destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    destination.setSoTimeout((int) PATIENCE.toMillis());
  }

  Postgres postgres() {
    return postgres;
  }

  /** The URL of the database. */
  String database() {
    return database;
  }

  ServerSocket destination() {
    return destination;
  }

  /** Says where relays and callers reach the next orchestrator. */
  void reachedAt(URI address) {
    addresses.add(address);
  }

  /** Where relays and callers reach the orchestrators, in their order. */
  List<URI> addresses() {
    return List.copyOf(addresses);
  }

  /**
   * Starts one of both, in the place of the process that was there.
   *
   * @param at the URL of the database, or of a way to it
   */
  Verb start(int which, Path launcher, String listen, String at, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "orchestrator",
                "--listen",
                listen,
                "--state-dir",
                folder.resolve("state" + which).toString(),
                "--database",
                at,
                "--database-user",
                Postgres.USER));
    arguments.addAll(List.of(options));
    orchestrators[which] = Verb.by(launcher, folder, arguments.toArray(String[]::new));
    return orchestrators[which];
  }

  Verb orchestrator(int which) {
    return orchestrators[which];
  }

  void startRelays(String... names) throws Exception {
    for (String name : names) {
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

  List<Verb> relays() {
    return relays;
  }

  /** Calls whichever leads. */
  OrchestratorClient client() {
    return new OrchestratorClient(addresses, null);
  }

  /** Calls this one alone. */
  OrchestratorClient client(int which) {
    return new OrchestratorClient(addresses.get(which), null);
  }

  /** Opens a chain to the destination. */
  Chain open(int leader, int port, String... via) {
    return new ControlPlane(addresses.get(leader), null).open("127.0.0.1:" + port, List.of(via));
  }

  OrchestratorHealth health(int which) {
    return client(which).health();
  }

  /** Null where it does not answer. */
  @Nullable OrchestratorRole role(int which) {
    try {
      return health(which).role();
    } catch (UnreachableException | ProblemException e) {
      return null;
    }
  }

  void awaitRole(int which, OrchestratorRole role) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(orchestrators[which].running()).as(orchestrators[which].text()).isTrue();
          assertThat(role(which)).as(orchestrators[which].text()).isEqualTo(role);
        });
  }

  /** Whether nobody answered a call who may: it may be made again. */
  static boolean isAway(Throwable failure) {
    return failure instanceof ProblemException || failure instanceof UnreachableException;
  }

  static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain), (int) PATIENCE.toMillis());
    return socket;
  }

  /** Sends a byte through a stream. */
  static void pass(Socket client, Socket server) throws IOException {
    server.setSoTimeout((int) PATIENCE.toMillis());
    client.getOutputStream().write(7);
    assertThat(server.getInputStream().read()).isEqualTo(7);
  }

  @Override
  public void close() throws IOException {
    relays.forEach(Verb::close);
    for (Verb orchestrator : orchestrators) {
      if (orchestrator != null) {
        orchestrator.close();
      }
    }
    postgres.close();
    destination.close();
  }
}
