package io.cascade.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.kernel.NetworkNamespace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A coded hop whose UDP a firewall drops, in a network of this test's own, in which the relays are.
 * Needs root and iptables.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class BlockedUdpTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** UDP is tried again a minute after it fell silent. */
  private static final Duration RETRY_PATIENCE = Duration.ofSeconds(150);

  private static final int PIECE = 1 << 20;
  private static final int PIECES = 24;
  private static final String[] DROP = {"INPUT", "-p", "udp", "-j", "DROP"};

  @TempDir private Path folder;
  private final List<Verb> processes = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private NetworkNamespace network;

  @SuppressWarnings("NullAway.Init")
  private URI orchestrator;

  @SuppressWarnings("NullAway.Init")
  private ServerSocket destination;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "SKIPPED: a network of its own needs root");
    network = NetworkNamespace.make("blocked-udp");
    assumeTrue(network.call(() -> exit("iptables", "-S", "INPUT")) == 0, "SKIPPED: needs iptables");
    assertThat(network.call(() -> exit("ip", "link", "set", "lo", "up"))).isZero();
    Verb first =
        verb(
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.resolve("state").toString());
    orchestrator = URI.create(first.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
    for (String name : List.of("r1", "r2")) {
      verb(
              "relay",
              "--name",
              name,
              "--site",
              "desk",
              "--orchestrator",
              orchestrator.toString(),
              "--hop-port",
              "0",
              "--control-port",
              "0",
              "--drain",
              "0")
          .awaitLine("cascade relay " + name + " ready");
    }
    destination = network.call(() -> new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1")));
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).close();
    }
    if (destination != null) {
      destination.close();
    }
    if (network != null) {
      network.close();
    }
  }

  @Test
  void atTheStartTheSessionBeginsOverTcpAndMovesToUdp() throws Exception {
    firewall("-A");
    InetSocketAddress ingress = open();
    CodedHop blocked = awaitCarrier(CodedCarrier.TCP, PATIENCE);
    assertThat(blocked.why()).contains("did not answer", "began over TCP");
    assertThat(blocked.sessions()).isPositive();
    assertArrives(ingress, () -> {});
    assertThat(coded().carrier()).isEqualTo(CodedCarrier.TCP);
    assertThat(dropped()).isPositive();

    firewall("-D");
    assertThat(awaitCarrier(CodedCarrier.UDP, RETRY_PATIENCE).sessions())
        .isEqualTo(blocked.sessions());
    assertArrives(ingress, () -> {});
  }

  @Test
  void inMidTransferTheSessionGoesOnOverTcpAndBackOverUdp() throws Exception {
    InetSocketAddress ingress = open();
    awaitCarrier(CodedCarrier.UDP, PATIENCE);
    assertArrives(ingress, () -> firewall("-A"));
    CodedHop blocked = awaitCarrier(CodedCarrier.TCP, PATIENCE);
    assertThat(blocked.why()).contains("TCP");
    assertThat(dropped()).isPositive();

    firewall("-D");
    awaitCarrier(CodedCarrier.UDP, RETRY_PATIENCE);
    assertArrives(ingress, () -> {});
  }

  private Verb verb(String... arguments) {
    Verb started = network.call(() -> Verb.start(folder, arguments));
    processes.add(started);
    return started;
  }

  private InetSocketAddress open() throws Exception {
    Verb open =
        verb(
            "open",
            "--to",
            "127.0.0.1:" + destination.getLocalPort(),
            "--via",
            "r1,r2",
            "--transport",
            "coded",
            "--orchestrator",
            orchestrator.toString());
    String[] ingress = open.awaitLine("^([0-9.]+:[0-9]+)$").group(1).split(":", 2);
    return new InetSocketAddress(ingress[0], Integer.parseInt(ingress[1]));
  }

  private CodedHop awaitCarrier(CodedCarrier carrier, Duration patience) {
    await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(patience)
        .untilAsserted(() -> assertThat(coded().carrier()).isEqualTo(carrier));
    return coded();
  }

  private CodedHop coded() {
    return network.call(this::statistics).chains().stream()
        .flatMap(chain -> chain.hops().stream())
        .map(HopStatistics::coded)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no coded hop"));
  }

  /** Blocks, on the thread that lives in the network: a socket is where its thread is. */
  private Statistics statistics() throws IOException {
    try (InputStream body =
        orchestrator.resolve("/api/v1/statistics").toURL().openConnection().getInputStream()) {
      return Json.lenient().readValue(body.readAllBytes(), Statistics.class);
    }
  }

  /** Sends known bytes through the chain; something happens when a third has arrived. */
  private void assertArrives(InetSocketAddress ingress, Happening happening) throws Exception {
    MessageDigest sent = MessageDigest.getInstance("SHA-256");
    MessageDigest received = MessageDigest.getInstance("SHA-256");
    AtomicLong arrived = new AtomicLong();
    try (Socket client = network.call(() -> new Socket(ingress.getAddress(), ingress.getPort()))) {
      CompletableFuture<Void> receiving =
          CompletableFuture.runAsync(() -> receive(received, arrived));
      OutputStream out = client.getOutputStream();
      byte[] piece = new byte[PIECE];
      Random random = new Random(7);
      for (int i = 0; i < PIECES; i++) {
        if (i == PIECES / 3) {
          await().atMost(PATIENCE).until(() -> arrived.get() == (long) PIECES / 3 * PIECE);
          happening.happens();
        }
        random.nextBytes(piece);
        sent.update(piece);
        out.write(piece);
      }
      client.shutdownOutput();
      receiving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(received.digest()).isEqualTo(sent.digest());
  }

  /** What happens in mid-transfer. */
  @FunctionalInterface
  private interface Happening {
    void happens() throws Exception;
  }

  private void receive(MessageDigest digest, AtomicLong arrived) {
    try (Socket server = destination.accept();
        InputStream in = new DigestInputStream(server.getInputStream(), digest)) {
      byte[] buffer = new byte[PIECE];
      int read = in.read(buffer);
      while (read >= 0) {
        arrived.addAndGet(read);
        read = in.read(buffer);
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /** Adds the rule that drops UDP, or deletes it. */
  private void firewall(String action) {
    String[] command = new String[DROP.length + 2];
    command[0] = "iptables";
    command[1] = action;
    System.arraycopy(DROP, 0, command, 2, DROP.length);
    assertThat(network.call(() -> exit(command))).as(Arrays.toString(command)).isZero();
  }

  /** Datagrams that the rule has dropped. */
  private long dropped() {
    return network.call(() -> {
      Process list = new ProcessBuilder("iptables", "-L", "INPUT", "-v", "-n", "-x").start();
      String text = new String(list.getInputStream().readAllBytes(), UTF_8);
      return text.lines()
          .filter(line -> line.contains("DROP"))
          .mapToLong(line -> Long.parseLong(line.trim().split(" +", 2)[0]))
          .sum();
    });
  }

  private static int exit(String... command) throws Exception {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1; // There is no such program.
    }
  }
}
