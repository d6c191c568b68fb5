package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.relay.PartState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relays die under streams that are carried over two chains; the streams go on. */
@Timeout(180)
class SegmentsTest {
  private static final int BYTES = 96 << 20;
  private static final int PIECE = 128 << 10;

  @TempDir private Path folder;

  /** What the destination has got so far. */
  private final AtomicLong arrived = new AtomicLong();

  @Test
  void aStreamSurvivesTheDeathOfAMiddleRelayAlsoWithoutOrchestrator() throws Exception {
    Path key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Verb far =
            Verb.start(
                folder,
                "forward",
                "--accept",
                "127.0.0.1:0",
                "--to",
                "127.0.0.1:" + destination.getLocalPort(),
                "--key-file",
                key.toString())) {
      String at = far.awaitLine("accepting pipes on (\\S+) ").group(1);
      cluster.startRelay("r4");
      cluster.awaitMeasured(); // A relay is ready before the orchestrator has heard of it.
      try (Verb near =
          cluster.verb(
              "forward",
              "--listen",
              "0",
              "--to",
              at,
              "--key-file",
              key.toString(),
              "--no-direct",
              "--via",
              "r1,r2",
              "--via",
              "r3,r4")) {
        String address = near.awaitLine("forwarding (\\S+) ").group(1);
        near.awaitLine("chain 1 via r1, r2 is open");
        near.awaitLine("chain 2 via r3, r4 is open");
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));

        survives(port, destination, cluster, "r2");
        cluster.startRelay("r2");
        awaitPart(cluster, "r2");
        cluster.orchestrator().kill();
        survives(port, destination, cluster, "r4");
        assertThat(near.text()).contains("lost its pipe via r1, r2", "lost its pipe via r3, r4");
      }
    }
  }

  /** One stream, in whose midst the relay is killed; digests are equal and both ends are clean. */
  private void survives(int port, ServerSocket destination, Cluster cluster, String relay)
      throws Exception {
    arrived.set(0);
    CountDownLatch killed = new CountDownLatch(1);
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got =
          CompletableFuture.supplyAsync(() -> digest(server), Thread::startVirtualThread);
      CompletableFuture<byte[]> sent =
          CompletableFuture.supplyAsync(() -> send(client, killed), Thread::startVirtualThread);
      await().atMost(Cluster.PATIENCE).until(() -> arrived.get() > BYTES / 4);
      cluster.relay(relay).kill();
      killed.countDown();
      assertThat(got.get()).isEqualTo(sent.get());
      server.getOutputStream().write(7);
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).containsExactly(7);
    }
  }

  /** Waits until the relay holds its chain again: that the chain is ready may be old news. */
  private static void awaitPart(Cluster cluster, String relay) {
    await()
        .atMost(Cluster.PATIENCE)
        .until(() -> {
          try {
            return new RelayControlClient(cluster.control(relay), null)
                .list(Cluster.PATIENCE).parts().stream()
                    .anyMatch(part -> part.state() == PartState.READY);
          } catch (UnreachableException | ProblemException e) {
            return false;
          }
        });
  }

  private byte[] send(Socket client, CountDownLatch killed) {
    try {
      OutputStream out = client.getOutputStream();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      SplittableRandom random = new SplittableRandom(1);
      byte[] piece = new byte[PIECE];
      for (int i = 0; i < BYTES / PIECE; i++) {
        if (i == BYTES / PIECE * 3 / 4) {
          killed.await();
        }
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
      }
      client.shutdownOutput();
      return digest.digest();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] digest(Socket server) {
    try {
      InputStream in = server.getInputStream();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] piece = new byte[PIECE];
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        digest.update(piece, 0, read);
        arrived.addAndGet(read);
      }
      return digest.digest();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
