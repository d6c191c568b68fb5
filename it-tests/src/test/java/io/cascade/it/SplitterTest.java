package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code scap up} as processes on two routers with two paths between them, and a connection of the
 * kernel's TCP, whose bytes are compared.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SplitterTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BYTES = 4_000_000;
  private static final int CONTROL = 7_790;

  /** Descriptors that strangers are left. */
  private static final int LEFT = 20;

  /** Strangers beyond those wait to be accepted; fewer than the port's queue takes. */
  private static final int STRANGERS = LEFT + 8;

  /** Packets by which a path has carried a part of the connection's data, and no signs of life. */
  private static final long A_PART = 300;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses scaps;

  private final AtomicLong received = new AtomicLong();

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("splitters");
    LinkShape local = LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED);
    List<SiteSpec> sites = new ArrayList<>();
    for (String site : List.of("sender", "split", "path1", "path2", "combine", "receiver")) {
      sites.add(new SiteSpec(site, "reno", List.of()));
    }
    lab =
        Lab.up(
            new Topology(
                "splitter-" + ProcessHandle.current().pid(),
                1,
                sites,
                List.of(
                    LinkSpec.symmetric("sender", "split", local),
                    LinkSpec.symmetric("split", "path1", path(5)),
                    LinkSpec.symmetric("split", "path2", path(15)),
                    LinkSpec.symmetric("path1", "combine", local),
                    LinkSpec.symmetric("path2", "combine", local),
                    LinkSpec.symmetric("combine", "receiver", local)),
                null,
                List.of()));
    scaps = new SiteProcesses(lab, folder);
  }

  private static LinkShape path(int delayMillis) {
    return LinkShape.of(Duration.ofMillis(delayMillis), 6_000_000).withQueueBytes(75_000);
  }

  @AfterEach
  void down() {
    if (lab != null) {
      scaps.close();
      lab.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"def-plus", "pair"})
  void theBytesArriveAsTheyWereByBothPaths(String mode) throws Exception {
    start(mode);

    assertThat(transfer().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(digest(bytes()));
    assertThat(packetsBy("path1")).isGreaterThan(A_PART);
    assertThat(packetsBy("path2")).isGreaterThan(A_PART);
  }

  @Test
  void theKernelGoesOnWhereTheSplitterIsKilled() throws Exception {
    Process split = scap("split", "to-sender", "receiver", "def-plus");
    CompletableFuture<byte[]> arrived = transfer();
    await().atMost(PATIENCE).until(() -> received.get() > BYTES / 4);
    split.destroyForcibly();
    split.waitFor();
    assertThat(received.get()).isLessThan(BYTES);

    assertThat(arrived.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(digest(bytes()));
  }

  /** Packets that are captured meanwhile wait, or are lost and sent again by the kernels. */
  @ParameterizedTest
  @ValueSource(longs = {5, 30})
  void theConnectionGoesOnWhereTheSplitterStandsStill(long seconds) throws Exception {
    Process split = scap("split", "to-sender", "receiver", "def-plus");
    CompletableFuture<byte[]> arrived = transfer();
    await().atMost(PATIENCE).until(() -> received.get() > BYTES / 4);
    signal(split, "STOP");
    try {
      TimeUnit.SECONDS.sleep(seconds);
      assertThat(received.get()).isLessThan(BYTES);
    } finally {
      signal(split, "CONT");
    }

    assertThat(arrived.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(digest(bytes()));
    assertThat(split.isAlive()).isTrue();
  }

  private static void signal(Process process, String name) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /** It looks at its devices once a second, and without descriptors as well. */
  @Test
  void bothPathsCarryWhileStrangersHoldAllItsDescriptors() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "SKIPPED: there is no prlimit");
    String control = Integer.toString(CONTROL);
    Process split = scap("split", "to-sender", "receiver", "def-plus", "--control", control);
    arrives(); // It has opened the files of its classes then.
    long most = descriptors(split) + LEFT;
    String pid = Long.toString(split.pid());
    String limit = "--nofile=" + most + ":" + most;
    assertThat(new ProcessBuilder("prlimit", "--pid", pid, limit).start().waitFor()).isZero();
    List<Socket> strangers = lab.site("split").call(SplitterTest::strangers);
    await().atMost(PATIENCE).until(() -> descriptors(split) >= most);

    arrives(); // Longer than from one look to the next.
    long first = packetsBy("path1");
    long second = packetsBy("path2");
    arrives();
    assertThat(split.isAlive()).isTrue();
    assertThat(packetsBy("path1") - first).isGreaterThan(A_PART);
    assertThat(packetsBy("path2") - second).isGreaterThan(A_PART);

    for (Socket stranger : strangers) {
      stranger.close();
    }
    String pipes = scaps.run("split", List.of("scap", "pipes", "--control", control));
    assertThat(pipes).contains("to-path1", "to-path2");
  }

  private void arrives() throws Exception {
    assertThat(transfer().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(digest(bytes()));
  }

  private static List<Socket> strangers() throws IOException {
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < STRANGERS; i++) {
      all.add(new Socket("127.0.0.1", CONTROL));
    }
    return all;
  }

  private static long descriptors(Process process) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return open.count();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"def-plus", "pair"})
  void thePathThatIsLeftCarriesOn(String mode) throws Exception {
    start(mode);
    CompletableFuture<byte[]> arrived = transfer();
    await().atMost(PATIENCE).until(() -> received.get() > BYTES / 4);
    lab.link("path2", "combine")
        .shape(LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED).withDown(true));
    assertThat(received.get()).isLessThan(BYTES);

    assertThat(arrived.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(digest(bytes()));
  }

  private void start(String mode) throws Exception {
    scap("split", "to-sender", "receiver", mode);
    if (mode.equals("pair")) {
      scap("combine", "to-receiver", "sender", mode);
    }
  }

  private long packetsBy(String path) {
    return lab.statistics().of("split", path).forwardedPackets();
  }

  /** Sends the bytes; what is answered is the digest of what arrived. */
  private CompletableFuture<byte[]> transfer() throws Exception {
    ServerSocket listener = lab.site("receiver").call(() -> new ServerSocket(0, 1));
    InetSocketAddress to =
        new InetSocketAddress(lab.site("receiver").address(), listener.getLocalPort());
    CompletableFuture<byte[]> arrived = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> receive(listener, arrived));
    Socket socket =
        lab.site("sender")
            .call(() -> {
              Socket opened = new Socket();
              opened.connect(to, (int) PATIENCE.toMillis());
              return opened;
            });
    Thread.ofPlatform().daemon().start(() -> send(socket, arrived));
    return arrived;
  }

  private void receive(ServerSocket listener, CompletableFuture<byte[]> arrived) {
    try (listener;
        Socket socket = listener.accept();
        InputStream input = socket.getInputStream()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[64 << 10];
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        digest.update(buffer, 0, read);
        received.addAndGet(read);
      }
      arrived.complete(digest.digest());
    } catch (Exception e) {
      arrived.completeExceptionally(e);
    }
  }

  private static void send(Socket socket, CompletableFuture<byte[]> arrived) {
    try (socket) {
      socket.getOutputStream().write(bytes());
      socket.shutdownOutput();
      int _ = socket.getInputStream().read();
    } catch (IOException e) {
      arrived.completeExceptionally(e);
    }
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(17).nextBytes(bytes);
    return bytes;
  }

  private static byte[] digest(byte[] bytes) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  private Process scap(String site, String near, String far, String mode, String... options)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("scap", "up", "--near", near, "--mode", mode, "--far"));
    arguments.add(lab.site(far).address());
    for (String pipe : List.of("to-path1,rtt=14ms", "to-path2,rtt=34ms")) {
      arguments.addAll(List.of("--pipe", pipe + ",rate=6Mbit,queue=75kB"));
    }
    arguments.addAll(List.of(options));
    return scaps.start(site, arguments, "scap ready");
  }
}
