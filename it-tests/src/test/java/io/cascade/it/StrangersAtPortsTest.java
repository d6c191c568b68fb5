package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.testing.ReservedPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What whoever has no key does to those who have one. Every build has a few strangers for seconds,
 * and looks that all works; {@code -Dcascade.strangers=1000 -Dcascade.strangers.seconds=60} has as
 * many as the goals in the table are for, which is printed in the end. Of the table is asserted
 * only what a busy machine keeps as well: that most probes come back, and that looks are answered.
 */
@Timeout(1_800)
class StrangersAtPortsTest {
  /** Silent ones at a time, connections a second, and a tenth of the datagrams a second. */
  private static final int STRANGERS = Integer.getInteger("cascade.strangers", 50);

  private static final Duration PHASE =
      Duration.ofSeconds(Integer.getInteger("cascade.strangers.seconds", 3));

  private static final long FILE_BYTES = STRANGERS * (256L << 10);
  private static final int ROUNDS = 3;
  private static final int LEASE_SECONDS = 3;
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final Pattern TOTAL = Pattern.compile("\"totalSeconds\" ?: ?([0-9.E-]+)");
  private static final String GREATEST_DELAY = "< 1 s";

  private static final List<String> TABLE = new ArrayList<>();

  @TempDir private Path folder;

  @AfterAll
  static void printTable() {
    System.out.printf(
        Locale.ROOT,
        "%d silent strangers, %d connections a second, %d datagrams a second, from %d addresses:%n"
            + "| what | goal | measured | |%n|---|---|---|---|%n%s%n",
        STRANGERS,
        STRANGERS,
        10 * STRANGERS,
        Flood.SOURCES,
        String.join("\n", TABLE));
  }

  private static void row(String what, String goal, String measured, boolean holds) {
    TABLE.add(
        "| %s | %s | %s | %s |".formatted(what, goal, measured, holds ? "holds" : "does not hold"));
  }

  @Test
  void aReceiverTakesItsFileBesideThem() throws Exception {
    List<Double> calm = new ArrayList<>();
    List<Double> silent = new ArrayList<>();
    List<Double> datagrams = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      calm.add(transfer(_ -> () -> {}));
      silent.add(transfer(StrangersAtPortsTest::silent));
      datagrams.add(transfer(at -> Flood.ofDatagrams(at, 10 * STRANGERS)));
    }
    tell("silent strangers at receive", silent, calm);
    tell("datagrams at receive", datagrams, calm);
  }

  private static void tell(String beside, List<Double> seconds, List<Double> calm) {
    double ratio = median(seconds) / median(calm);
    row(
        "time of a file beside " + beside,
        "+10 %",
        "%+.1f %% (%.2f s, alone %.2f s)"
            .formatted((ratio - 1) * 100, median(seconds), median(calm)),
        ratio <= 1.1);
  }

  private interface Beside {
    Closeable at(InetSocketAddress port) throws IOException;
  }

  /** Seconds that a file took, whose digest both ends have compared. */
  private double transfer(Beside beside) throws Exception {
    Path work = Files.createTempDirectory(folder, "round");
    Path file = work.resolve("file.bin");
    write(file);
    Path into = Files.createDirectory(work.resolve("into"));
    int port = ReservedPort.untilTheEnd();
    try (Verb receive =
        Verb.start(
            folder, "receive", "--listen", "127.0.0.1:" + port, "--output", into.toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      try (Closeable _ = beside.at(new InetSocketAddress("127.0.0.1", port));
          Verb send = Verb.start(folder, "send", file.toString(), code, "--direct", "--json")) {
        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
        assertThat(into.resolve("file.bin")).hasSize(FILE_BYTES);
        Matcher total = TOTAL.matcher(send.text());
        assertThat(total.find()).as(send.text()).isTrue();
        return Double.parseDouble(total.group(1));
      }
    } finally {
      Files.delete(file);
      Files.deleteIfExists(into.resolve("file.bin"));
    }
  }

  private static void write(Path file) throws IOException {
    Random random = new Random(5);
    byte[] piece = new byte[256 << 10];
    try (var out = Files.newOutputStream(file)) {
      for (long written = 0; written < FILE_BYTES; written += piece.length) {
        random.nextBytes(piece);
        out.write(piece);
      }
    }
  }

  /** Connections that stay open as long as the other end lets them. */
  private static Closeable silent(InetSocketAddress port) throws IOException {
    List<SocketChannel> open = new ArrayList<>();
    for (int i = 0; i < STRANGERS; i++) {
      SocketChannel stranger = SocketChannel.open();
      stranger.setOption(StandardSocketOptions.SO_LINGER, 0);
      stranger.bind(Flood.source(i % Flood.SOURCES));
      boolean _ = stranger.connect(port);
      open.add(stranger);
    }
    return () -> {
      for (SocketChannel stranger : open) {
        stranger.close();
      }
    };
  }

  @Test
  void relaysAndTheOrchestratorGoOnBesideThem() throws Exception {
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())) {
      Thread _ = Thread.startVirtualThread(() -> takeAll(destination));
      Chain chain = cluster.open(destination.getLocalPort(), LEASE_SECONDS);
      Chain attacked = cluster.open(destination.getLocalPort());
      Watched calm = watch(cluster, chain.id());
      calm.tell("nobody", calm);
      for (Map.Entry<String, InetSocketAddress> port : ports(cluster, attacked).entrySet()) {
        Watched beside;
        double rate;
        try (Flood flood = Flood.ofConnections(port.getValue(), STRANGERS)) {
          beside = watch(cluster, chain.id());
          rate = flood.rate();
        }
        assertThat(rate).isPositive();
        beside.tell("%.0f connections a second at %s".formatted(rate, port.getKey()), calm);
        cluster.awaitState(chain.id(), ChainState.READY);
      }
      InetSocketAddress udp = hop(cluster);
      tell("nobody", Probes.send(udp, PHASE));
      try (Flood flood = Flood.ofDatagrams(udp, 10 * STRANGERS)) {
        Probes.Count count = Probes.send(udp, PHASE);
        assertThat(flood.rate()).isPositive();
        tell("%.0f datagrams a second there".formatted(flood.rate()), count);
      }
      cluster.awaitState(chain.id(), ChainState.READY);
      cluster.awaitMeasured();
    }
  }

  private static Map<String, InetSocketAddress> ports(Cluster cluster, Chain attacked) {
    Map<String, InetSocketAddress> ports = new LinkedHashMap<>();
    ports.put("a relay's hop port", hop(cluster));
    URI control = cluster.control("r1");
    ports.put(
        "a relay's control port", new InetSocketAddress(control.getHost(), control.getPort()));
    ports.put("a chain's ingress", Cluster.ingress(attacked));
    URI orchestrator = cluster.address();
    ports.put(
        "the orchestrator", new InetSocketAddress(orchestrator.getHost(), orchestrator.getPort()));
    return ports;
  }

  private static InetSocketAddress hop(Cluster cluster) {
    Endpoint hop = Objects.requireNonNull(cluster.client().relay("r1").hop());
    return new InetSocketAddress(hop.host(), hop.port());
  }

  private static void tell(String beside, Probes.Count count) {
    assertThat(count.share()).as("share of probes that were lost").isLessThan(0.5);
    row(
        "probes of a known address lost at a relay's UDP port, beside " + beside,
        "< 1 %",
        "%.2f %% of %d".formatted(count.share() * 100, count.sent()),
        count.share() < 0.01);
  }

  /**
   * What was seen of relays for a while.
   *
   * @param looks that the orchestrator and every relay answered
   */
  private record Watched(Regularity heartbeats, Regularity leases, int looks) {
    void tell(String beside, Watched calm) {
      assertThat(looks).as("looks that were answered beside " + beside).isPositive();
      tell("heartbeat", beside, heartbeats, calm.heartbeats);
      tell("lease renewed", beside, leases, calm.leases);
    }

    private static void tell(String what, String beside, Regularity seen, Regularity calm) {
      double late = seen.p99() - calm.median();
      row(
          what + " later than usual, p99, beside " + beside,
          GREATEST_DELAY,
          "%.3f s (usual interval %.3f s, of %d)".formatted(late, calm.median(), seen.count()),
          late < 1);
    }
  }

  /** Looks at heartbeats, and at the leases of a chain, for a phase. */
  private static Watched watch(Cluster cluster, UUID chain) {
    Regularity heartbeats = new Regularity();
    Regularity leases = new Regularity();
    Map<String, RelayControlClient> relays = new LinkedHashMap<>();
    Cluster.relays()
        .forEach(name -> relays.put(name, new RelayControlClient(cluster.control(name), null)));
    int looks = 0;
    long began = System.nanoTime();
    while (System.nanoTime() - began < PHASE.toNanos()) {
      try {
        cluster
            .client()
            .relays()
            .relays()
            .forEach(relay -> heartbeats.seen(relay.name(), relay.lastSeenAt()));
        relays.forEach((name, relay) ->
            relay.list(Duration.ofSeconds(1)).parts().stream()
                .filter(part -> part.chainId().equals(chain))
                .forEach(part -> leases.seen(name, part.leaseExpiresAt())));
        looks++;
      } catch (ProblemException | UnreachableException e) {
        // A look that failed; the times that it missed are seen at the next one.
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    Instant now = Instant.now();
    heartbeats.ends(now);
    leases.ends(now.plusSeconds(LEASE_SECONDS));
    return new Watched(heartbeats, leases, looks);
  }

  private static void takeAll(ServerSocket destination) {
    while (!destination.isClosed()) {
      try {
        Socket taken = destination.accept();
        CompletableFuture<Void> _ =
            CompletableFuture.runAsync(() -> awaitEnd(taken), Thread::startVirtualThread);
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private static void awaitEnd(Socket taken) {
    try (taken) {
      int _ = taken.getInputStream().read();
    } catch (IOException e) {
      // A reset.
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
