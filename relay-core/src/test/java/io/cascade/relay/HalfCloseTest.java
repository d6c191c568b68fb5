package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream half of which has ended does not stay for ever. */
@Timeout(60)
class HalfCloseTest {
  private ServerSocket destination;

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    destination.close();
  }

  @Test
  void isResetWhenTheServerNeverCloses() throws Exception {
    try (TestChain chain = chain(1);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertSomeRelayLostPatience(chain);
    }
  }

  @Test
  void isResetWhenTheClientNeverCloses() throws Exception {
    try (TestChain chain = chain(1);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(IOException.class);
      assertSomeRelayLostPatience(chain);
    }
  }

  @Test
  void isResetWhenWhatPrecededTheEndIsNeverRead() throws Exception {
    try (TestChain chain = chain(1);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.setSendBufferSize(64 << 20);
      client.getOutputStream().write(new byte[1 << 20]);
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isZero();
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertSomeRelayLostPatience(chain);
    }
  }

  @Test
  void staysAsLongAsBytesMove() throws Exception {
    try (TestChain chain = chain(2);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      long until =
          System.nanoTime() + 5_000_000_000L; // more than twice as long as silence may last
      while (System.nanoTime() < until) {
        server.getOutputStream().write(1);
        assertThat(client.getInputStream().read()).isEqualTo(1);
      }
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> "completed".equals(chain.streams(0).getFirst().reason()));
    }
  }

  @Test
  void mayBeForEverWhereAChainSaysSo() throws Exception {
    try (TestChain chain = chain(0);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      server.getOutputStream().write(1);
      assertThat(client.getInputStream().read()).isEqualTo(1);
      assertThat(chain.streams(0).getFirst().reason()).isNull();
    }
  }

  /** One of the relays was the first to lose patience; its neighbour saw a reset. */
  private static void assertSomeRelayLostPatience(TestChain chain) {
    await()
        .atMost(TestChain.PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    List.of(
                        String.valueOf(chain.streams(0).getFirst().reason()),
                        String.valueOf(chain.streams(1).getFirst().reason())))
                .contains("half-close-timeout"));
  }

  private TestChain chain(int seconds) throws Exception {
    return TestChain.open(
        2,
        Transport.best(),
        new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
        TestChain.options(Map.of("halfCloseTimeoutSeconds", seconds)));
  }
}
