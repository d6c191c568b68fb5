package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Relay;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relays, orchestrators and ends of this version and of the one before, together, where the
 * property {@code previous} is set ({@code -Dprevious}), of the commit that it names if it names
 * one.
 */
@EnabledIfSystemProperty(named = "previous", matches = ".+")
@NullUnmarked
@Timeout(600)
class TwoVersionsTest {
  private static final Path NOW = LauncherWithCaches.LAUNCHER;
  private static final List<String> RELAYS = List.of("r1", "r2", "r3");
  private static final int BYTES = 32 << 20;
  private static final int PIECE = 1 << 20;

  /** Leaves the processors to processes that start. */
  private static final int PAUSE_MILLIS = 20;

  private static Path previous;

  @TempDir private Path folder;

  private final Map<String, Verb> processes = new LinkedHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong arrived = new AtomicLong();

  @BeforeAll
  static void buildTheVersionBefore() throws Exception {
    previous = PreviousVersion.launcherOrSkip();
  }

  @AfterEach
  void close() {
    processes.values().forEach(Verb::close);
    threads.shutdownNow();
  }

  @Test
  void relaysOfTheVersionBeforeServeThisOrchestrator() throws Exception {
    carries(orchestrator(NOW, "127.0.0.1:0"), Map.of("r1", previous, "r2", NOW, "r3", previous));
  }

  @Test
  void theseRelaysServeAnOrchestratorOfTheVersionBefore() throws Exception {
    carries(orchestrator(previous, "127.0.0.1:0"), Map.of("r1", NOW, "r2", previous, "r3", NOW));
  }

  @Test
  void everyProcessIsReplacedWhileAStreamRuns() throws Exception {
    ControlPlane before = orchestrator(previous, "127.0.0.1:0");
    for (String name : RELAYS) {
      relay(previous, name, before.address());
    }
    awaitRelays(before);
    try (ServerSocket destination = destination()) {
      Chain chain = before.open("127.0.0.1:" + destination.getLocalPort(), RELAYS);
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Void> stream =
          CompletableFuture.runAsync(() -> send(chain, Long.MAX_VALUE, enough), threads);
      awaitMore(stream);
      process("orchestrator").kill();
      String listen = before.address().getHost() + ":" + before.address().getPort();
      ControlPlane now = orchestrator(NOW, listen);
      awaitRelays(now);
      awaitMore(stream);
      for (String name : RELAYS) {
        relay(NOW, name, now.address());
        awaitMore(stream);
      }
      enough.set(true);
      stream.get();
      awaitRelays(now);
      await().atMost(Cluster.PATIENCE).until(() -> now.isIn(chain.id(), ChainState.READY));
      send(chain, BYTES, new AtomicBoolean());
      assertThat(now.client().relays().relays()).extracting(Relay::restarts).containsOnly(0);
    }
  }

  @Test
  void aReceiverOfTheVersionBeforeTakesAFileOrTheSenderSaysWhyNot() throws Exception {
    sends(NOW, previous);
  }

  @Test
  void thisReceiverTakesAFileOfTheVersionBeforeOrTheSenderSaysWhyNot() throws Exception {
    sends(previous, NOW);
  }

  /** Ends of different versions need not understand each other, but then have to say so. */
  private void sends(Path sender, Path receiver) throws Exception {
    byte[] content = new byte[BYTES];
    new Random(4).nextBytes(content);
    Path file = Files.write(folder.resolve("file.bin"), content);
    Path into = Files.createDirectory(folder.resolve("into"));
    Verb receive =
        started("receive", receiver, "--listen", "127.0.0.1:0", "--output", into.toString());
    String code = receive.awaitLine("send FILE (\\S+)").group(1);
    Verb send = started("send", sender, file.toString(), code, "--direct");

    int exit = send.await();

    if (exit == 0) {
      assertThat(receive.await()).as(receive.text()).isZero();
      assertThat(into.resolve("file.bin")).hasBinaryContent(content);
    } else {
      System.out.println("Ends of two versions do not talk: " + send.text());
      assertThat(exit).as(send.text()).isEqualTo(1);
      assertThat(send.text()).containsPattern("use the same (version|Cascade) at both ends");
      assertThat(into.resolve("file.bin")).doesNotExist();
    }
  }

  private Verb started(String verb, Path launcher, String... options) {
    List<String> arguments = new ArrayList<>(List.of(verb));
    arguments.addAll(List.of(options));
    Verb started = Verb.by(launcher, folder, arguments.toArray(String[]::new));
    processes.put(verb, started);
    return started;
  }

  private void carries(ControlPlane orchestrator, Map<String, Path> relays) throws Exception {
    for (String name : RELAYS) {
      relay(Objects.requireNonNull(relays.get(name)), name, orchestrator.address());
    }
    awaitRelays(orchestrator);
    await()
        .atMost(Cluster.PATIENCE)
        .until(() -> orchestrator.client().links().links().size() == RELAYS.size() * 2);
    try (ServerSocket destination = destination()) {
      Chain chain = orchestrator.open("127.0.0.1:" + destination.getLocalPort(), RELAYS);
      send(chain, BYTES, new AtomicBoolean());
      assertThat(orchestrator.isIn(chain.id(), ChainState.READY)).isTrue();
      var _ = orchestrator.client().close(chain.id(), false);
    }
  }

  private Verb process(String name) {
    return Objects.requireNonNull(processes.get(name));
  }

  private ControlPlane orchestrator(Path launcher, String listen) throws Exception {
    Verb started =
        Verb.by(
            launcher,
            folder,
            "orchestrator",
            "--listen",
            listen,
            "--state-dir",
            folder.resolve("state").toString());
    processes.put("orchestrator", started);
    String url = started.awaitLine("cascade orchestrator ready at (\\S+)").group(1);
    return new ControlPlane(URI.create(url), null);
  }

  /** Starts a relay, in the place of the one of this name if there is one. */
  private void relay(Path launcher, String name, URI orchestrator) throws Exception {
    Verb started =
        Verb.by(
            launcher,
            folder,
            "relay",
            "--name",
            name,
            "--orchestrator",
            orchestrator.toString(),
            "--hop-port",
            "0",
            "--control-port",
            "0",
            "--hand-over",
            folder.resolve(name + ".sock").toString());
    Verb before = processes.put(name, started);
    if (before != null) {
      processes.put(name + " before", before);
    }
    started.awaitLine("cascade relay " + name + " ready");
  }

  private static void awaitRelays(ControlPlane orchestrator) {
    await()
        .atMost(Cluster.PATIENCE)
        .ignoreExceptions()
        .until(() -> orchestrator.hearsOf(RELAYS.size()));
  }

  /** Waits until more of the stream has arrived than can have been on its way. */
  private void awaitMore(CompletableFuture<Void> stream) throws Exception {
    long wanted = arrived.get() + BYTES;
    while (arrived.get() < wanted) {
      if (stream.isDone()) {
        stream.get(); // says why it ended
      }
      Thread.sleep(10);
    }
  }

  /** Sends through the chain, and is told the digest of what arrived. */
  private static void send(Chain chain, long bytes, AtomicBoolean enough) {
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE];
    new Random(3).nextBytes(piece);
    try (Socket socket = new Socket()) {
      socket.connect(Cluster.ingress(chain), (int) Cluster.PATIENCE.toMillis());
      socket.setSoTimeout((int) Cluster.PATIENCE.toMillis());
      OutputStream out = socket.getOutputStream();
      for (long sent = 0; sent < bytes && !enough.get(); sent += piece.length) {
        digest.update(piece);
        out.write(piece);
        Thread.sleep(PAUSE_MILLIS);
      }
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes()).isEqualTo(digest.digest());
    } catch (IOException e) {
      throw new AssertionError("the stream", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerSocket destination() throws IOException {
    ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    threads.execute(() -> {
      try {
        while (true) {
          Socket socket = listening.accept();
          threads.execute(() -> answerDigest(socket));
        }
      } catch (IOException e) {
        // the test is over
      }
    });
    return listening;
  }

  private void answerDigest(Socket accepted) {
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE];
    try (Socket socket = accepted) {
      for (int read = socket.getInputStream().read(piece);
          read >= 0;
          read = socket.getInputStream().read(piece)) {
        digest.update(piece, 0, read);
        arrived.addAndGet(read);
      }
      socket.getOutputStream().write(digest.digest());
    } catch (IOException e) {
      // the client sees it, too
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
