package io.cascade.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two orchestrators over one PostgreSQL database, each with TLS and a key of its own, and two
 * relays that know both and pin both keys, under load: streams through one of the chains, and
 * callers that open and close others. Each fault happens as often as the property {@code
 * cascade.failovers} says, once by default, to the same cluster; the seconds are printed.
 */
@NullUnmarked
@Timeout(3600)
class FailoverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = Integer.getInteger("cascade.failovers", 1);

  /** Not on loopback: it calls relays over their control connections alone. */
  private static final String ELSEWHERE = "orchestrator.example.net";

  private static final FailoverTimes TIMES = new FailoverTimes();

  @TempDir private Path folder;
  private OrchestratorPair pair;
  private final int[] ports = new int[2];

  /** By which relays and callers reach the orchestrators. */
  private final CuttablePath[] toOrchestrator = new CuttablePath[2];

  private final CuttablePath[] toDatabase = new CuttablePath[2];
  private OrchestratorClient client;

  @BeforeEach
  void start() throws Exception {
    pair = new OrchestratorPair(folder);
    for (int i = 0; i < 2; i++) {
      toDatabase[i] = new CuttablePath(URI.create(pair.database()).getPort());
      ports[i] = ReservedPort.untilTheEnd();
      toOrchestrator[i] = new CuttablePath(ports[i]);
      pair.reachedAt(startOrchestrator(i));
    }
    client = pair.client();
    pair.startRelays("r1", "r2");
    await().atMost(PATIENCE).until(() -> client.relays().relays().size() == 2);
  }

  @AfterEach
  void stop() throws IOException {
    if (pair != null) {
      pair.close();
    }
    for (CuttablePath path :
        List.of(toDatabase, toOrchestrator).stream().flatMap(Arrays::stream).toList()) {
      if (path != null) {
        path.close();
      }
    }
  }

  @AfterAll
  static void printTimes() {
    System.out.print(TIMES.table());
  }

  @Test
  void theLeaderIsKilled() throws Exception {
    survives(
        new Fault(
            "leader killed",
            true,
            leader -> pair.orchestrator(leader).kill(),
            (leader, _) -> startOrchestrator(leader)));
  }

  @Test
  void theLeaderIsPausedAndGoesOn() throws Exception {
    survives(
        new Fault(
            "leader paused",
            true,
            leader -> pair.orchestrator(leader).signal("STOP"),
            (leader, chain) -> {
              CompletableFuture<Throwable> closing = closing(leader, chain);
              pair.orchestrator(leader).signal("CONT");
              assertThat(closing.get()).as("what it was asked while it was paused").isNotNull();
              awaitStandby(leader);
            }));
  }

  @Test
  void theLeaderIsCutOffFromTheDatabaseAndComesBack() throws Exception {
    survives(
        new Fault(
            "leader cut off from the database",
            true,
            leader -> toDatabase[leader].cut(),
            (leader, chain) -> {
              assertThat(closing(leader, chain).get()).as("what it is asked now").isNotNull();
              toDatabase[leader].mend();
              awaitStandby(leader);
            }));
  }

  /** Nothing comes from it any more: no end of a connection, and no refusal of a new one. */
  @Test
  void theHostOfTheLeaderIsLostAndComesBack() throws Exception {
    survives(
        new Fault(
            "host of the leader lost",
            true,
            leader -> {
              toDatabase[leader].cut();
              toOrchestrator[leader].cut();
            },
            (leader, chain) -> {
              CompletableFuture<Throwable> closing = closing(leader, chain);
              toDatabase[leader].mend();
              toOrchestrator[leader].mend();
              assertThat(closing.get()).as("what it was asked while it was away").isNotNull();
              awaitStandby(leader);
            }));
  }

  @Test
  void theDatabaseIsRestarted() throws Exception {
    survives(
        new Fault(
            "database restarted",
            false,
            _ -> {
              pair.postgres().stop();
              pair.postgres().startAgain();
              String now = pair.postgres().run(pair.database(), "select current_timestamp");
              awaitOfSeat("renewed_at > '" + now + "'");
            },
            (_, _) -> {}));
  }

  /** To what is in it, the seat is as old as the step is long, or of a time to come. */
  @Test
  void theDatabasesClockIsSetAheadAndBack() throws Exception {
    survives(
        new Fault(
            "database's clock set by an hour",
            false,
            _ -> moveSeat("- interval '1 hour'"),
            (_, _) -> moveSeat("+ interval '1 hour'")));
  }

  /** Returns when it was kept or taken since. */
  private void moveSeat(String by) {
    String _ =
        pair.postgres().run(pair.database(), "update leadership set renewed_at = renewed_at " + by);
    awaitOfSeat("abs(extract(epoch from renewed_at - current_timestamp)) < 60");
  }

  /** Returns when that holds of the seat, and whoever has it then leads. */
  private void awaitOfSeat(String condition) {
    await()
        .atMost(PATIENCE)
        .until(() ->
            pair.postgres()
                .run(pair.database(), "select " + condition + " from leadership")
                .equals("t"));
    long held =
        Long.parseLong(pair.postgres().run(pair.database(), "select epoch from leadership"));
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(OrchestratorPair::isAway)
        .until(() ->
            IntStream.range(0, pair.addresses().size())
                .anyMatch(
                    which -> pair.role(which) == OrchestratorRole.LEADER && epoch(which) >= held));
  }

  /**
   * What happens.
   *
   * @param isOfTheLeader whether the other one has to lead then
   */
  private record Fault(String name, boolean isOfTheLeader, Begin begin, End end) {
    private interface Begin {
      void of(int leader) throws Exception;
    }

    private interface End {
      void of(int formerLeader, Chain open) throws Exception;
    }
  }

  /** A chain with a stream outlives the fault, and so do the chains that were opened before. */
  private void survives(Fault fault) throws Exception {
    try (Load load = new Load()) {
      Chain chain = open(pair.destination().getLocalPort(), "r1", "r2");
      Chain loaded = open(load.port(), "r1", "r2");
      load.lane("loaded", Cluster.ingress(loaded));
      try (Socket stream = OrchestratorPair.connect(chain);
          Socket end = pair.destination().accept()) {
        OrchestratorPair.pass(stream, end);
        for (int round = 1; round <= ROUNDS; round++) {
          System.out.printf("%s, round %d: ", fault.name(), round);
          happens(fault, chain, Set.of(chain.id(), loaded.id()));
          OrchestratorPair.pass(stream, end);
        }
      }
      load.finish();
      assertThat(load.ends("loaded")).containsOnlyKeys(Load.End.WHOLE);
    }
  }

  private void happens(Fault fault, Chain chain, Set<UUID> open) throws Exception {
    int leader = leader();
    long epoch = epoch(leader);
    OrchestratorClient caller = new OrchestratorClient(inOrder(leader), null);
    assertThat(caller.chain(chain.id()).state()).isEqualTo(ChainState.READY);
    Callers callers = new Callers(pair.addresses());
    callers.one("127.0.0.1:" + pair.destination().getLocalPort(), List.of("r1", "r2"));
    callers.one("127.0.0.1:" + pair.destination().getLocalPort(), List.of("r2", "r1"));

    long began = System.nanoTime();
    fault.begin().of(leader);
    OrchestratorClient next = fault.isOfTheLeader() ? awaitLeader(1 - leader) : client;
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(OrchestratorPair::isAway)
        .until(() -> !next.relays().relays().isEmpty());
    long led = System.nanoTime();
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(OrchestratorPair::isAway)
        .until(() -> isWhole(next, open));
    long whole = System.nanoTime();
    assertThat(caller.chain(chain.id()).id()).as("of the first call since").isEqualTo(chain.id());
    long called = System.nanoTime();
    TIMES.add(fault.name(), began, led, whole, called);
    fault.end().of(leader, chain);
    String calls = callers.finish();
    System.out.printf("epoch %d then %d; %s%n", epoch, epoch(leader()), calls);
    assertHeldOnce(open);
  }

  /** Asks a former leader alone to close a chain; what comes of it instead. */
  private CompletableFuture<Throwable> closing(int formerLeader, Chain chain) {
    OrchestratorClient alone = pair.client(formerLeader);
    return CompletableFuture.supplyAsync(() -> catchThrowable(() -> alone.close(chain.id(), true)));
  }

  private List<URI> inOrder(int first) {
    return List.of(pair.addresses().get(first), pair.addresses().get(1 - first));
  }

  private Chain open(int port, String first, String second) {
    return pair.open(leader(), port, first, second);
  }

  /** Whether a leader has heard of all relays and of these chains, and all relays answer it. */
  private static boolean isWhole(OrchestratorClient leader, Set<UUID> open) {
    return leader.relays().relays().stream().allMatch(relay -> relay.status() == RelayStatus.UP)
        && open.stream()
            .map(leader::chain)
            .allMatch(chain ->
                chain.state() == ChainState.READY
                    && requireNonNull(chain.totals()).size() == chain.relays().size());
  }

  private void assertHeldOnce(Set<UUID> chains) {
    for (Verb relay : pair.relays()) {
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
        .ignoreExceptionsMatching(OrchestratorPair::isAway)
        .until(() -> !client.relays().relays().isEmpty());
    return pair.addresses().stream()
        .map(at -> ServerAddress.of(at).base())
        .toList()
        .indexOf(client.address());
  }

  /** Returns a client of this one alone. */
  private OrchestratorClient awaitLeader(int which) {
    await().atMost(PATIENCE).until(() -> pair.role(which) == OrchestratorRole.LEADER);
    return pair.client(which);
  }

  private void awaitStandby(int which) {
    await().atMost(PATIENCE).until(() -> pair.role(which) == OrchestratorRole.STANDBY);
  }

  private long epoch(int which) {
    return pair.health(which).epoch();
  }

  /** Returns where relays and callers reach it, with its pins. */
  private URI startOrchestrator(int which) throws Exception {
    String database =
        "postgresql://127.0.0.1:%d%s"
            .formatted(toDatabase[which].port(), URI.create(pair.database()).getPath());
    Verb started =
        pair.start(
            which,
            LauncherWithCaches.LAUNCHER,
            "127.0.0.1:" + ports[which],
            database,
            "--advertise",
            ELSEWHERE,
            "--tls",
            "on");
    String pins =
        started.awaitLine("cascade orchestrator ready at https://\\S+(#sha256-\\S+)").group(1);
    return URI.create("https://127.0.0.1:" + toOrchestrator[which].port() + pins);
  }
}
