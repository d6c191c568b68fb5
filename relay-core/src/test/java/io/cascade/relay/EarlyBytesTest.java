package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a client sends before the way to the destination is open is kept, whatever the client does
 * meanwhile and however the relays move it. The destination's queue of connections is full, so that
 * its kernel answers the relay's SYN only when room has been made and the SYN has been sent again.
 * That takes a second, which all ways wait for together.
 */
@Timeout(60)
class EarlyBytesTest {
  private static final byte[] EARLY = random(1_000);
  private static final byte[] LATER = random(1_000_000);

  @Test
  void ofAClientThatHasClosed() throws Exception {
    StreamWay.onEach(way -> {
      try (Crowd destination = new Crowd();
          TestChain chain = open(way, 1, destination)) {
        try (Socket client = chain.connect()) {
          client.getOutputStream().write(EARLY);
        }
        awaitArrived(chain);
        try (Socket server = destination.acceptBehindTheQueue()) {
          assertThat(server.getInputStream().readAllBytes()).isEqualTo(EARLY);
        }
      }
    });
  }

  @Test
  void ofAClientThatWaitsForTheAnswer() throws Exception {
    StreamWay.onEach(way -> {
      try (Crowd destination = new Crowd();
          TestChain chain = open(way, 3, destination);
          Socket client = chain.connect()) {
        client.getOutputStream().write(EARLY);
        client.shutdownOutput();
        awaitArrived(chain);
        try (Socket server = destination.acceptBehindTheQueue()) {
          assertThat(server.getInputStream().readAllBytes()).isEqualTo(EARLY);
          server.getOutputStream().write(EARLY);
          server.shutdownOutput();
          assertThat(client.getInputStream().readAllBytes()).isEqualTo(EARLY);
        }
      }
    });
  }

  /** They are copied in any case, and what follows them may be spliced and must not overtake. */
  @Test
  void comeBeforeWhatFollowsThem() throws Exception {
    StreamWay.onEach(way -> {
      try (Crowd destination = new Crowd();
          TestChain chain = open(way, 2, destination);
          Socket client = chain.connect()) {
        client.getOutputStream().write(EARLY);
        awaitArrived(chain);
        Thread writing =
            Thread.startVirtualThread(() -> {
              try {
                client.getOutputStream().write(LATER);
                client.shutdownOutput();
              } catch (IOException e) {
                // the server sees that it is not all
              }
            });
        try (Socket server = destination.acceptBehindTheQueue()) {
          InputStream in = server.getInputStream();
          assertThat(in.readNBytes(EARLY.length)).isEqualTo(EARLY);
          assertThat(in.readAllBytes()).isEqualTo(LATER);
        }
        writing.join();
        long spliced = Objects.requireNonNull(ended(chain).forward().splicedBytes());
        if (way.mustSplice()) {
          assertThat(spliced).isPositive();
        } else if (!way.maySplice()) {
          assertThat(spliced).isZero();
        }
      }
    });
  }

  @Test
  void ofAClientThatHasReset() throws Exception {
    StreamWay.onEach(way -> {
      try (Crowd destination = new Crowd();
          TestChain chain = open(way, 1, destination)) {
        Socket client = chain.connect();
        client.getOutputStream().write(EARLY);
        awaitArrived(chain);
        client.setSoLinger(true, 0);
        client.close();
        try (Socket server = destination.acceptBehindTheQueue()) {
          InputStream in = server.getInputStream();
          assertThat(in.readNBytes(EARLY.length)).isEqualTo(EARLY);
          assertThatThrownBy(in::read)
              .isInstanceOf(IOException.class)
              .hasMessageContaining("reset");
        }
        assertThat(ended(chain).reason()).isEqualTo("inlet-reset");
      }
    });
  }

  @Test
  void ofAClientThatHasResetWithNobodyToTakeThem() throws Exception {
    StreamOptions impatient = TestChain.options(Map.of("connectTimeoutSeconds", 1));
    StreamWay.onEach(way -> {
      try (Crowd destination = new Crowd();
          TestChain chain = way.open(way.fewest(1), destination.address(), impatient)) {
        Socket client = chain.connect();
        client.getOutputStream().write(EARLY);
        awaitArrived(chain);
        client.setSoLinger(true, 0);
        client.close();
        assertThat(ended(chain).reason()).isEqualTo("inlet-reset");
        for (int i = 0; i < chain.length(); i++) {
          int relay = i;
          await()
              .atMost(TestChain.PATIENCE)
              .until(() -> chain.control(relay).health(TestChain.PATIENCE).heldBytes() == 0);
        }
      }
    });
  }

  private static TestChain open(StreamWay way, int relays, Crowd destination) throws Exception {
    return way.open(way.fewest(relays), destination.address(), TestChain.defaults());
  }

  /** The last relay has read what the client sent, and has no way on yet. */
  private static void awaitArrived(TestChain chain) {
    int last = chain.length() - 1;
    await()
        .atMost(TestChain.PATIENCE)
        .until(() ->
            chain.streams(last).stream()
                .anyMatch(report -> report.forward().bytesIn() == EARLY.length));
    assertThat(chain.streams(last).getFirst().forward().bytesOut()).isZero();
  }

  private static StreamReport ended(TestChain chain) {
    return await()
        .atMost(TestChain.PATIENCE)
        .until(() -> chain.streams(0).getFirst(), report -> report.reason() != null);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** A destination before which others wait. */
  private static final class Crowd implements AutoCloseable {
    private final List<Socket> inTheQueue = new ArrayList<>();
    private final ServerSocket destination;

    Crowd() throws IOException {
      destination = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
      destination.setSoTimeout((int) TestChain.PATIENCE.toMillis());
      // The kernel takes one more than it was told.
      for (int i = 0; i < 2; i++) {
        inTheQueue.add(new Socket(destination.getInetAddress(), destination.getLocalPort()));
      }
    }

    InetSocketAddress address() {
      return new InetSocketAddress(destination.getInetAddress(), destination.getLocalPort());
    }

    /** Two that filled the queue are taken out of it, and then comes the relay's. */
    Socket acceptBehindTheQueue() throws IOException {
      for (int i = 0; i < inTheQueue.size(); i++) {
        destination.accept().close();
      }
      return destination.accept();
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : inTheQueue) {
        socket.close();
      }
      destination.close();
    }
  }
}
