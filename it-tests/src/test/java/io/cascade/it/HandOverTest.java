package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Relay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every relay is replaced by a new process under load, and nobody notices. */
@Timeout(240)
class HandOverTest {
  private static final int CLIENTS = 4;
  private static final int MOST_BYTES = 64 << 10;
  private static final int PIECE = 1 << 20;

  @TempDir private Path folder;

  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger connections = new AtomicInteger();

  @Test
  void noConnectionFailsWhileEveryRelayIsReplaced() throws Exception {
    // The common pool has too few threads for as many as wait here.
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 500, InetAddress.getByName("127.0.0.1"))) {
      answerDigests(destination);
      Chain chain = cluster.open(destination.getLocalPort());
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(i);
        clients.add(CompletableFuture.runAsync(() -> connectAgainAndAgain(chain, random), threads));
      }
      CompletableFuture<Void> longOne =
          CompletableFuture.runAsync(() -> sendUntilEnough(chain), threads);
      List<Verb> replaced = new ArrayList<>();
      clients.add(longOne);
      awaitConnections(clients);
      for (String name : List.of("r2", "r1", "r3")) {
        replaced.add(cluster.relay(name));
        int before = connections.get();
        cluster.startRelay(name);
        int meanwhile = connections.get() - before;
        awaitConnections(clients);
        System.out.printf("%s replaced while %d connections came and went%n", name, meanwhile);
      }
      assertThat(replaced).as("each still carries the long stream").allMatch(Verb::running);
      enough.set(true);
      for (CompletableFuture<Void> client : clients) {
        client.get();
      }
      for (Verb old : replaced) {
        assertThat(old.await()).as(old.text()).isZero();
        assertThat(old.text()).contains("replaced by another process");
      }
      assertThat(cluster.client().chain(chain.id()).state()).isEqualTo(ChainState.READY);
      assertThat(cluster.client().relays().relays())
          .as("the same relays, to the orchestrator")
          .extracting(Relay::restarts)
          .containsOnly(0);
    }
  }

  /** Waits until so many more were served that the present relays must have served some. */
  private void awaitConnections(List<CompletableFuture<Void>> clients) throws Exception {
    int wanted = connections.get() + 100;
    while (connections.get() < wanted) {
      for (CompletableFuture<Void> client : clients) {
        if (client.isDone()) {
          client.get(); // says why it ended
        }
      }
      Thread.sleep(10);
    }
  }

  private void connectAgainAndAgain(Chain chain, Random random) {
    while (!enough.get()) {
      byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
      random.nextBytes(bytes);
      try (Socket socket = connect(chain)) {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        assertThat(socket.getInputStream().readAllBytes()).isEqualTo(sha256().digest(bytes));
        connections.incrementAndGet();
      } catch (IOException e) {
        throw new AssertionError("after " + connections.get() + " connections", e);
      }
    }
  }

  private void sendUntilEnough(Chain chain) {
    MessageDigest digest = sha256();
    Random random = new Random(42);
    byte[] piece = new byte[PIECE];
    try (Socket socket = connect(chain)) {
      OutputStream out = socket.getOutputStream();
      do {
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
        Thread.sleep(20); // leaves the processors to the connections
      } while (!enough.get());
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes()).isEqualTo(digest.digest());
    } catch (IOException e) {
      throw new AssertionError("the long stream", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain), (int) Cluster.PATIENCE.toMillis());
    socket.setSoTimeout((int) Cluster.PATIENCE.toMillis());
    return socket;
  }

  private static void answerDigests(ServerSocket listening) {
    Thread.startVirtualThread(() -> {
      try {
        while (true) {
          Socket socket = listening.accept();
          Thread.startVirtualThread(() -> answerDigest(socket));
        }
      } catch (IOException e) {
        // the test is over
      }
    });
  }

  private static void answerDigest(Socket accepted) {
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE];
    try (Socket socket = accepted) {
      InputStream in = socket.getInputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        digest.update(piece, 0, read);
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
      throw new IllegalStateException(e);
    }
  }
}
