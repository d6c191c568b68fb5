package io.cascade.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.TransportChoice;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chains over coded hops, between relays that are processes. */
@Timeout(120)
class CodedChainsTest {
  private static final int PIECE = 1 << 20;
  private static final int PIECES = 64;

  @TempDir private Path folder;

  @Test
  void carryAStreamByteForByte() throws Exception {
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0)) {
      try (Verb open =
          cluster.verb(
              "open",
              "--to",
              "127.0.0.1:" + destination.getLocalPort(),
              "--via",
              "r1,r2,r3",
              "--transport",
              "coded")) {
        open.awaitLine("(?i).*ready.*|.*127\\.0\\.0\\.1:[0-9]+.*");
        Chain chain = cluster.client().chains().chains().getFirst();
        assertThat(requireNonNull(chain.options()).transport()).isEqualTo(TransportChoice.CODED);
        awaitCodedOverUdp(cluster, chain);
        assertThat(digestOf(chain, destination)).isNotEmpty();
        await() // The count is as old as a second.
            .atMost(Cluster.PATIENCE)
            .until(() ->
                coded(cluster, chain).stream()
                    .allMatch(hop -> hop.sourceSymbols() * 1_434L >= (long) PIECES * PIECE));
      }
    }
  }

  /** A machine that is busy with much else may be too slow for the first handshake. */
  private static void awaitCodedOverUdp(Cluster cluster, Chain chain) {
    await()
        .atMost(Cluster.PATIENCE)
        .until(() -> {
          List<CodedHop> hops = coded(cluster, chain);
          return hops.size() == 2
              && hops.stream()
                  .allMatch(hop -> hop.carrier() == CodedCarrier.UDP && hop.why() == null);
        });
  }

  private static List<CodedHop> coded(Cluster cluster, Chain chain) {
    return cluster.client().statistics().chains().stream()
        .filter(seen -> seen.chainId().equals(chain.id()))
        .flatMap(seen -> seen.hops().stream())
        .map(HopStatistics::coded)
        .filter(Objects::nonNull)
        .toList();
  }

  private static byte[] digestOf(Chain chain, ServerSocket destination) throws Exception {
    MessageDigest sent = MessageDigest.getInstance("SHA-256");
    MessageDigest received = MessageDigest.getInstance("SHA-256");
    try (Socket client = new Socket()) {
      client.connect(Cluster.ingress(chain));
      CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(client, sent));
      try (Socket server = destination.accept()) {
        byte[] buffer = new byte[PIECE];
        int read = server.getInputStream().read(buffer);
        while (read >= 0) {
          received.update(buffer, 0, read);
          read = server.getInputStream().read(buffer);
        }
      }
      sending.get();
    }
    byte[] digest = sent.digest();
    assertThat(received.digest()).isEqualTo(digest);
    return digest;
  }

  private static void send(Socket to, MessageDigest digest) {
    try {
      OutputStream out = to.getOutputStream();
      byte[] piece = new byte[PIECE];
      Random random = new Random(7);
      for (int i = 0; i < PIECES; i++) {
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
