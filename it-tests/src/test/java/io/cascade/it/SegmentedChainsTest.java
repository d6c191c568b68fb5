package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.PipeTotals;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ordinary clients of a chain of two pipes, whose middle relays die. */
@Timeout(180)
class SegmentedChainsTest {
  private static final int BYTES = 64 << 20;
  private static final int PIECE = 128 << 10;

  @TempDir private Path folder;

  /** What the destination has got so far. */
  private final AtomicLong arrived = new AtomicLong();

  @Test
  void aClientsStreamSurvivesEitherMiddleRelayAndTheOrchestrator() throws Exception {
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      cluster.startRelay("r4");
      cluster.awaitMeasured(); // A relay is ready before the orchestrator has heard of it.
      try (Verb open =
          cluster.verb(
              "open",
              "--to",
              "127.0.0.1:" + destination.getLocalPort(),
              "--name",
              "two",
              "--pipe",
              "r1,r2,r4",
              "--pipe",
              "r1,r3,r4")) {
        open.awaitLine("via r1, r2, r4 \\| r1, r3, r4 is READY");
      }
      Chain chain = cluster.client().chains().chains().getFirst();
      carry(
          destination,
          chain,
          mayGoOn -> {
            awaitPipes(cluster, "r2", "r3");

            cluster.relay("r2").kill();
            mayGoOn.release();
            awaitArrived(2);
            cluster.startRelay("r2");
            cluster.awaitState(chain.id(), ChainState.READY);
            awaitPipes(cluster, "r2", "r3");

            cluster.orchestrator().kill();
            cluster.relay("r3").kill();
            mayGoOn.release();
          });
    }
  }

  @Test
  void aStreamOfTwoSegmentsSurvivesTheDeathOfAPipeInEither() throws Exception {
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      cluster.startRelay("r4");
      cluster.startRelay("r5");
      cluster.awaitMeasured(); // A relay is ready before the orchestrator has heard of it.
      try (Verb open =
          cluster.verb(
              "open",
              "--to",
              "127.0.0.1:" + destination.getLocalPort(),
              "--pipe",
              "r1,r2,r3,r4,r5",
              "--pipe",
              "r1,r3,r5",
              "--junction",
              "r3")) {
        open.awaitLine("via r1, r2, r3 \\| r1, r3; r3, r4, r5 \\| r3, r5 is READY");
      }
      Chain chain = cluster.client().chains().chains().getFirst();
      carry(
          destination,
          chain,
          mayGoOn -> {
            awaitPipes(cluster, "r2", "r4");

            cluster.relay("r2").kill();
            mayGoOn.release();
            awaitArrived(2);

            cluster.relay("r4").kill();
            mayGoOn.release();
          });
    }
  }

  /** What happens while a stream is carried; each permit lets it go on. */
  private interface Faults {
    void happen(Semaphore mayGoOn) throws Exception;
  }

  /** Sends a stream through the chain and back, and compares the two ends. */
  private void carry(ServerSocket destination, Chain chain, Faults faults) throws Exception {
    Semaphore mayGoOn = new Semaphore(0);
    try (Socket client = new Socket()) {
      client.connect(Cluster.ingress(chain));
      try (Socket server = destination.accept()) {
        CompletableFuture<byte[]> got =
            CompletableFuture.supplyAsync(() -> digest(server), Thread::startVirtualThread);
        CompletableFuture<byte[]> sent =
            CompletableFuture.supplyAsync(() -> send(client, mayGoOn), Thread::startVirtualThread);
        awaitArrived(1);
        faults.happen(mayGoOn);
        assertThat(got.get()).isEqualTo(sent.get());
        server.getOutputStream().write(7);
        server.shutdownOutput();
        assertThat(client.getInputStream().readAllBytes()).containsExactly(7);
      }
    }
  }

  /** Waits until so many quarters of the stream are there. */
  private void awaitArrived(int quarters) {
    await().atMost(Cluster.PATIENCE).until(() -> arrived.get() > (long) quarters * BYTES / 4);
  }

  /** Waits until the stream has a pipe that begins with a hop to each of two relays. */
  private static void awaitPipes(Cluster cluster, String first, String second) {
    await()
        .atMost(Cluster.PATIENCE)
        .until(() -> running(cluster, first) == 1 && running(cluster, second) == 1);
  }

  private static long running(Cluster cluster, String to) {
    for (HopStatistics hop : cluster.client().statistics().chains().getFirst().hops()) {
      PipeTotals pipe = hop.pipe();
      if (hop.to().equals(to) && pipe != null) {
        return pipe.running();
      }
    }
    return 0;
  }

  private byte[] send(Socket client, Semaphore mayGoOn) {
    try {
      OutputStream out = client.getOutputStream();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      SplittableRandom random = new SplittableRandom(1);
      byte[] piece = new byte[PIECE];
      int pieces = BYTES / PIECE;
      for (int i = 0; i < pieces; i++) {
        if (i == pieces * 3 / 8 || i == pieces * 5 / 8) {
          mayGoOn.acquire();
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
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
