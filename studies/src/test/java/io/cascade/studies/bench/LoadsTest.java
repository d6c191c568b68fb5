package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The loads against the destination: correct bytes are counted, changed bytes are reported. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoadsTest {
  private static final int ENOUGH_BYTES = 4 << 20;

  @SuppressWarnings("NullAway.Init")
  private Destination destination;

  @BeforeEach
  void open() throws IOException {
    destination = Destination.open();
  }

  @AfterEach
  void close() {
    destination.close();
  }

  @Test
  void bulkCountsWhatArrives() throws Exception {
    long sent;
    try (BulkLoad load = BulkLoad.start(destination.port(), 3)) {
      until(ENOUGH_BYTES);
      sent = load.finish();
    }

    assertThat(sent).isGreaterThanOrEqualTo(ENOUGH_BYTES);
    assertThat(destination.countedBytes()).isEqualTo(sent);
  }

  @Test
  void bulkTellsThatBytesAreMissing() throws Exception {
    try (Meddler meddler = new Meddler(destination.port(), LoadsTest::withoutItsLast);
        BulkLoad load = BulkLoad.start(meddler.port(), 1)) {
      until(ENOUGH_BYTES);

      assertThatThrownBy(load::finish)
          .isInstanceOf(IOException.class)
          .hasMessageMatching("sent \\d+ bytes, of which \\d+ arrived");
    }
  }

  @Test
  void pingPongCountsRoundTrips() throws Exception {
    assertThat(PingPong.measure(destination.port(), 0.05).getTotalCount()).isPositive();
  }

  @Test
  void pingPongTellsThatAMessageWasChanged() throws Exception {
    try (Meddler meddler = new Meddler(destination.port(), LoadsTest::changed)) {
      assertThatThrownBy(() -> PingPong.measure(meddler.port(), 5))
          .isInstanceOf(IOException.class)
          .hasMessage("message 0 came back changed");
    }
  }

  @Test
  void shortConnectionsCountThoseThatWereAnsweredAndEnded() throws Exception {
    try (ShortConnections load = ShortConnections.start(destination.port())) {
      while (load.completed() < 100) {
        Thread.onSpinWait();
      }

      assertThat(load.finish()).isEqualTo(load.completed());
    }
  }

  @Test
  void shortConnectionsTellThatAnAnswerWasChanged() throws Exception {
    try (Meddler meddler = new Meddler(destination.port(), LoadsTest::changed);
        ShortConnections load = ShortConnections.start(meddler.port())) {
      assertThatThrownBy(load::finish).isInstanceOf(IOException.class).hasMessageContaining("not");
    }
  }

  @Test
  void idleStreamsRestAtTheDestination() throws Exception {
    try (IdleStreams idle = new IdleStreams(destination.port())) {
      idle.growTo(200);

      assertThat(destination.restingStreams()).isEqualTo(200);
    }
  }

  @Test
  void digestPassesWhatIsUnchanged() throws Exception {
    DigestCheck.pass(destination.port(), 1_000_001, 7);
  }

  @Test
  void digestTellsThatBytesWereChanged() throws Exception {
    try (Meddler meddler = new Meddler(destination.port(), LoadsTest::changed)) {
      assertThatThrownBy(() -> DigestCheck.pass(meddler.port(), 1_000_000, 7))
          .isInstanceOf(IOException.class)
          .hasMessage("the SHA-256 of 1000000 bytes differs at the far end");
    }
  }

  private void until(long bytes) {
    while (destination.countedBytes() < bytes) {
      Thread.onSpinWait();
    }
  }

  private static byte[] withoutItsLast(byte[] block) {
    return block.length < 1_000 ? block : java.util.Arrays.copyOf(block, block.length - 1);
  }

  private static byte[] changed(byte[] block) {
    block[block.length - 1] ^= 1;
    return block;
  }

  /** A proxy that does something to what clients send. */
  private static final class Meddler implements AutoCloseable {
    private final ServerSocket listening;

    Meddler(int destinationPort, UnaryOperator<byte[]> meddling) throws IOException {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread.ofVirtual()
          .start(() -> {
            while (!listening.isClosed()) {
              forward(destinationPort, meddling);
            }
          });
    }

    int port() {
      return listening.getLocalPort();
    }

    private void forward(int destinationPort, UnaryOperator<byte[]> meddling) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), destinationPort);
        Thread.ofVirtual().start(() -> pass(client, server, meddling));
        Thread.ofVirtual().start(() -> pass(server, client, UnaryOperator.identity()));
      } catch (IOException e) {
        // closed
      }
    }

    private static void pass(Socket from, Socket to, UnaryOperator<byte[]> meddling) {
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[65_536];
        for (int got = in.read(buffer); got > 0; got = in.read(buffer)) {
          out.write(meddling.apply(java.util.Arrays.copyOf(buffer, got)));
        }
        to.shutdownOutput();
      } catch (IOException e) {
        // The test's other end says what matters.
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
