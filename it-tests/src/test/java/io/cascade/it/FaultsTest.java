package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes die and readers stall; bytes are never lost in silence. */
@Timeout(180)
class FaultsTest {
  /** Time for which both ends of a transfer wait for another connection. */
  private static final String STALL_SECONDS = "20";

  private static final int HALF = 48 << 20;
  private static final int SHORTEST_LEASE = 3;

  @TempDir private Path folder;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.start(folder);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aRelayThatIsKilledResetsBothEnds() throws Exception {
    try (ServerSocket destination = new ServerSocket(0)) {
      Chain chain = cluster.open(destination.getLocalPort());
      try (Socket client = connect(chain);
          Socket server = destination.accept()) {
        client.getOutputStream().write(new byte[100_000]);
        assertThat(server.getInputStream().readNBytes(100_000)).hasSize(100_000);
        cluster.relay("r2").kill();
        assertThatThrownBy(() -> server.getInputStream().read())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("reset");
        assertThatThrownBy(() -> client.getInputStream().read())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("reset");
      }
      cluster.awaitState(chain.id(), ChainState.DEGRADED);
      cluster.startRelay("r2");
      cluster.awaitState(chain.id(), ChainState.READY);
      try (Socket client = connect(chain);
          Socket server = destination.accept()) {
        client.getOutputStream().write(42);
        assertThat(server.getInputStream().read()).isEqualTo(42);
      }
    }
  }

  @Test
  void aFileThatLosesItsRelayMidwayIsNeverTakenForWhole() throws Exception {
    byte[] big = new byte[256 << 20]; // Ten seconds, far from sent when the relay dies.
    new Random(1).nextBytes(big);
    Path file = Files.write(folder.resolve("big.bin"), big);
    Path arrived = Files.createDirectory(folder.resolve("arrived"));
    try (Verb receive =
        Verb.start(
            folder,
            "receive",
            "--open-to-anyone",
            "--listen",
            "127.0.0.1:0",
            "--output",
            arrived.toString(),
            "--stall-timeout",
            STALL_SECONDS)) {
      String at = receive.awaitLine("127\\.0\\.0\\.1:(\\d+)").group(1);
      Chain chain = cluster.open(Integer.parseInt(at));
      try (Verb send =
          Verb.start(
              folder,
              "send",
              file.toString(),
              "--direct",
              "--limit",
              "200Mbit",
              "--stall-timeout",
              STALL_SECONDS,
              "--to",
              Cluster.ingress(chain).toString().replace("/", ""))) {
        await()
            .atMost(Cluster.PATIENCE)
            .until(() ->
                cluster.client().streams(chain.id()).streams().stream()
                    .anyMatch(s -> s.relays().getLast().forwardBytesOut() > 10_000_000));
        cluster.relay("r2").kill();
        assertThat(send.await()).as(send.text()).isNotZero();
        assertThat(receive.await()).as(receive.text()).isNotZero();
        // What has arrived is kept under names that say that it is not whole.
        try (Stream<Path> files = Files.list(arrived)) {
          assertThat(files.filter(path -> !path.getFileName().toString().startsWith(".big.bin.")))
              .isEmpty();
        }
      }
    }
  }

  @Test
  void anOrchestratorThatIsKilledIsNotMissedByRunningStreams() throws Exception {
    byte[] bytes = new byte[HALF];
    new Random(1).nextBytes(bytes);
    try (ServerSocket destination = new ServerSocket(0)) {
      Chain chain = cluster.open(destination.getLocalPort());
      try (Socket client = connect(chain);
          Socket server = destination.accept()) {
        OutputStream out = client.getOutputStream();
        InputStream in = server.getInputStream();
        CompletableFuture<byte[]> first = CompletableFuture.supplyAsync(() -> read(in, HALF));
        out.write(bytes);
        assertThat(first.get()).isEqualTo(bytes);
        cluster.restartOrchestrator();
        CompletableFuture<byte[]> second = CompletableFuture.supplyAsync(() -> read(in, HALF));
        out.write(bytes);
        client.shutdownOutput();
        assertThat(second.get()).isEqualTo(bytes);
        assertThat(in.read()).isEqualTo(-1);
      }
      cluster.awaitState(chain.id(), ChainState.READY);
      try (Socket client = connect(chain);
          Socket server = destination.accept()) {
        client.getOutputStream().write(7);
        assertThat(server.getInputStream().read()).isEqualTo(7);
      }
    }
  }

  @Test
  void chainsTakeNewStreamsWithoutAnOrchestratorAndItTakesOverWhenItIsBack() throws Exception {
    try (ServerSocket destination = new ServerSocket(0)) {
      Chain kept = cluster.open(destination.getLocalPort(), SHORTEST_LEASE);
      Chain closed = cluster.open(destination.getLocalPort(), SHORTEST_LEASE);
      List<RelayControlClient> relays = controls();
      cluster.orchestrator().kill();
      await()
          .atMost(Cluster.PATIENCE)
          .until(() -> relays.stream().allMatch(relay -> holds(relay, 2, PartState.UNATTENDED)));

      for (int stream = 0; stream < 20; stream++) {
        passThrough(kept, destination);
        passThrough(closed, destination);
      }

      cluster.restartOrchestrator();
      await()
          .atMost(Cluster.PATIENCE)
          .until(() -> relays.stream().allMatch(relay -> holds(relay, 2, PartState.READY)));
      cluster.awaitState(kept.id(), ChainState.READY);
      cluster.client().close(closed.id(), false);
      assertThat(relays).allMatch(relay -> holds(relay, 1, PartState.READY));
      passThrough(kept, destination);
    }
  }

  private List<RelayControlClient> controls() {
    return Cluster.relays().stream()
        .map(relay -> new RelayControlClient(cluster.control(relay), null))
        .toList();
  }

  private static boolean holds(RelayControlClient relay, int parts, PartState state) {
    List<PartStatus> held = relay.list(Cluster.PATIENCE).parts();
    return held.size() == parts && held.stream().allMatch(part -> part.state() == state);
  }

  private static void passThrough(Chain chain, ServerSocket destination) throws IOException {
    try (Socket client = connect(chain);
        Socket server = destination.accept()) {
      client.getOutputStream().write(7);
      assertThat(server.getInputStream().read()).isEqualTo(7);
    }
  }

  @Test
  void aSlowReaderDoesNotFillTheRelays() throws Exception {
    try (ServerSocket destination = new ServerSocket(0)) {
      Chain chain = cluster.open(destination.getLocalPort());
      Socket[] clients = new Socket[20];
      Socket[] servers = new Socket[20];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = connect(chain);
        servers[i] = destination.accept(); // and never reads
        Socket client = clients[i];
        Thread.startVirtualThread(() -> writeUntilItBreaks(client));
      }
      long[] before = {-1};
      await()
          .atMost(Cluster.PATIENCE)
          .pollInterval(java.time.Duration.ofSeconds(1))
          .until(() -> {
            long now =
                cluster.client().streams(chain.id()).streams().stream()
                    .mapToLong(s -> s.relays().getFirst().forwardBytesIn())
                    .sum();
            boolean still = now == before[0] && now > 0;
            before[0] = now;
            return still;
          });
      for (var stream : cluster.client().streams(chain.id()).streams()) {
        for (var relay : stream.relays()) {
          assertThat(relay.peakHeldBytes()).isLessThanOrEqualTo(2L << 20);
        }
      }
      for (String name : new String[] {"r1", "r2", "r3"}) {
        long resident = cluster.relay(name).residentBytes();
        System.out.printf(
            "%s: %d MiB resident with %d stalled streams%n", name, resident >> 20, clients.length);
        assertThat(resident).isLessThan(400L << 20);
      }
      for (int i = 0; i < clients.length; i++) {
        clients[i].close();
        servers[i].close();
      }
    }
  }

  @Test
  void anIdleRelayIsSmall() throws Exception {
    // One that has carried nothing yet: others keep the heap that they once needed.
    cluster.relay("r1").kill();
    cluster.startRelay("r1");
    Verb relay = cluster.relay("r1");
    // What it needed to start goes back to the system within some seconds.
    await("idle relay")
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(relay.residentBytes()).isLessThan(128L << 20));
    System.out.printf("idle relay: %d MiB resident%n", relay.residentBytes() >> 20);
  }

  private static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain), 10_000);
    socket.setSoTimeout((int) Cluster.PATIENCE.toMillis());
    return socket;
  }

  private static byte[] read(InputStream from, int length) {
    try {
      return from.readNBytes(length);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void writeUntilItBreaks(Socket to) {
    byte[] piece = new byte[65_536];
    try {
      while (true) {
        to.getOutputStream().write(piece);
      }
    } catch (IOException e) {
      // the test is over
    }
  }
}
