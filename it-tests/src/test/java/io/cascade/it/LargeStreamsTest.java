package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Much at once, and much in one. */
@Timeout(300)
class LargeStreamsTest {
  @TempDir private Path folder;

  @Test
  void carriesFiveGibibytesInOneStream() throws Exception {
    long total = 5L << 30;
    byte[] piece = new byte[1 << 20];
    new Random(5).nextBytes(piece);
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0)) {
      Chain chain = cluster.open(destination.getLocalPort());
      try (Socket client = new Socket()) {
        client.connect(Cluster.ingress(chain));
        CompletableFuture<Void> sending =
            CompletableFuture.runAsync(() -> send(client, piece, total));
        try (Socket server = destination.accept()) {
          byte[] buffer = new byte[1 << 20];
          long received = 0;
          while (true) {
            int read = server.getInputStream().readNBytes(buffer, 0, buffer.length);
            if (read == 0) {
              break;
            }
            assertThat(read).isEqualTo(buffer.length);
            assertThat(buffer).isEqualTo(piece);
            received += read;
          }
          assertThat(received).isEqualTo(total);
        }
        sending.get();
      }
      for (var relay : awaitOver(cluster, chain).relays()) {
        assertThat(relay.forwardBytesIn()).isEqualTo(total);
        assertThat(relay.forwardBytesOut()).isEqualTo(total);
      }
    }
  }

  @Test
  void carriesFiveHundredStreamsAtOnce() throws Exception {
    int count = 500;
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 1_000);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Chain chain = cluster.open(destination.getLocalPort());
      Thread.startVirtualThread(() -> echo(destination, threads));
      List<Socket> open = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Socket socket = new Socket();
        socket.connect(Cluster.ingress(chain));
        open.add(socket);
      }
      List<CompletableFuture<String>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] question = new byte[100_000];
        new Random(i).nextBytes(question);
        Socket socket = open.get(i);
        answers.add(CompletableFuture.supplyAsync(() -> ask(socket, question), threads));
      }
      for (int i = 0; i < count; i++) {
        byte[] question = new byte[100_000];
        new Random(i).nextBytes(question);
        assertThat(answers.get(i).get()).isEqualTo(digest(question));
      }
    }
  }

  private static ChainStream awaitOver(Cluster cluster, Chain chain) {
    return org.awaitility.Awaitility.await()
        .until(
            () -> cluster.client().streams(chain.id()).streams().getFirst(),
            stream -> stream.state().equals("COMPLETED"));
  }

  private static void send(Socket to, byte[] piece, long total) {
    try {
      OutputStream out = to.getOutputStream();
      for (long sent = 0; sent < total; sent += piece.length) {
        out.write(piece);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void echo(ServerSocket destination, ExecutorService threads) {
    try {
      while (true) {
        Socket socket = destination.accept();
        threads.execute(() -> {
          try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
      }
    } catch (IOException e) {
      // closed: the test is over
    }
  }

  private static String ask(Socket socket, byte[] question) {
    try (socket) {
      Thread.startVirtualThread(() -> {
        try {
          socket.getOutputStream().write(question);
          socket.shutdownOutput();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      return digest(socket.getInputStream().readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
