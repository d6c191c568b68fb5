package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A reader may pause for longer than a peer may be silent: its window is shut, but it answers
 * (docs/how/decisions/0004).
 */
@Timeout(60)
class PausedReaderTest {
  private static final int SILENCE_SECONDS = 1;

  /** The kernel asks at 0.2, 0.6, 1.4 and 3 s: between two of them more passes than may. */
  private static final double PAUSE_SECONDS = 3.2 * SILENCE_SECONDS;

  private static final byte[] PIECE = random(100_000);

  private static final StreamOptions OPTIONS =
      TestChain.options(Map.of("userTimeoutSeconds", SILENCE_SECONDS, "bufferBytes", 256 * 1_024));

  @Test
  void getsEveryByteWhicheverSideItIs() throws Exception {
    StreamWay.onEach(way -> {
      try (ServerSocket destination = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
          TestChain chain =
              way.open(2, new InetSocketAddress("127.0.0.1", destination.getLocalPort()), OPTIONS);
          Socket client = chain.connect();
          Socket server = destination.accept()) {
        server.setSoTimeout((int) TestChain.PATIENCE.toMillis());
        Flood there = new Flood(client);
        Flood back = new Flood(server);
        awaitStandstill(chain);
        awaitPause(chain);
        there.ebb();
        back.ebb();

        assertThat(read(server)).isEqualTo(there.sent());
        assertThat(read(client)).isEqualTo(back.sent());
        for (int i = 0; i < chain.length(); i++) {
          int relay = i;
          await()
              .atMost(TestChain.PATIENCE)
              .until(() -> "completed".equals(chain.streams(relay).getFirst().reason()));
        }
      }
    });
  }

  /** Nothing comes into any relay any more. */
  private static void awaitStandstill(TestChain chain) {
    long[] last = {0};
    await()
        .atMost(TestChain.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> {
          List<DirectionReport> directions = directions(chain);
          long now = directions.stream().mapToLong(DirectionReport::bytesIn).sum();
          boolean still =
              now == last[0] && directions.stream().allMatch(each -> each.heldBytes() > 0);
          last[0] = now;
          return still;
        });
  }

  /** Every relay has waited for so long that its sink takes more, in both directions. */
  private static void awaitPause(TestChain chain) {
    List<Double> before = directions(chain).stream().map(PausedReaderTest::waited).toList();
    await()
        .atMost(TestChain.PATIENCE)
        .until(() -> {
          List<Double> now = directions(chain).stream().map(PausedReaderTest::waited).toList();
          return IntStream.range(0, now.size())
              .allMatch(i -> now.get(i) - before.get(i) > PAUSE_SECONDS);
        });
  }

  private static double waited(DirectionReport direction) {
    return Objects.requireNonNull(direction.stalls()).sinkSeconds();
  }

  private static List<DirectionReport> directions(TestChain chain) {
    return IntStream.range(0, chain.length())
        .mapToObj(relay -> chain.streams(relay).getFirst())
        .peek(stream -> assertThat(stream.reason()).as(stream::toString).isNull())
        .flatMap(PausedReaderTest::directions)
        .toList();
  }

  private static Stream<DirectionReport> directions(StreamReport stream) {
    return Stream.of(stream.forward(), stream.backward());
  }

  /** How many bytes come until the end, all of which are right. */
  private static long read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    long came = 0;
    for (byte[] next = in.readNBytes(PIECE.length);
        next.length > 0;
        next = in.readNBytes(PIECE.length)) {
      assertThat(Arrays.mismatch(next, PIECE))
          .as("the first wrong byte behind %d", came)
          .isEqualTo(next.length == PIECE.length ? -1 : next.length);
      came += next.length;
    }
    return came;
  }

  /** Sends the piece over and over until it is enough, and then the end. */
  private static final class Flood {
    private final CompletableFuture<Long> sent = new CompletableFuture<>();
    private volatile boolean enough;

    Flood(Socket into) {
      Thread.startVirtualThread(() -> {
        try {
          long bytes = 0;
          while (!enough) {
            into.getOutputStream().write(PIECE);
            bytes += PIECE.length;
          }
          into.shutdownOutput();
          sent.complete(bytes);
        } catch (IOException e) {
          sent.completeExceptionally(e);
        }
      });
    }

    void ebb() {
      enough = true;
    }

    long sent() {
      return sent.join();
    }
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(4).nextBytes(bytes);
    return bytes;
  }
}
