package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.relay.socket.Sockets;
import io.cascade.relay.transport.Transport;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever does not hold a chain's key gets no byte out of the hop port, and is counted. */
@Timeout(30)
class HopPortTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final HopKey KEY = HopHeaderTest.key(1);

  private MultiThreadIoEventLoopGroup loops;
  private HopServer server;
  private Channel listening;

  @BeforeEach
  void listen() {
    loops = new MultiThreadIoEventLoopGroup(1, Transport.best().newIoHandlerFactory());
    server = new HopServer(new Sockets(Transport.best(), loops), Duration.ofMillis(300));
    listening =
        server
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
    server.install(CHAIN, new HopInlet(KEY, 1, (inlet, start, early) -> early.release()));
  }

  @AfterEach
  void stop() {
    listening.close().syncUninterruptibly();
    loops.shutdownGracefully();
  }

  @Test
  void aSilentClientIsTimedOut() throws Exception {
    refused(new byte[0], HopRefusal.TIMED_OUT);
  }

  @Test
  void aHeaderThatStaysIncompleteIsTimedOut() throws Exception {
    byte[] header = HopHeader.greeting(CHAIN, 1, 1).encode(KEY);
    refused(java.util.Arrays.copyOf(header, 40), HopRefusal.TIMED_OUT);
  }

  @Test
  void somethingElseIsMalformed() throws Exception {
    refused("GET / HTTP/1.1\r\n\r\n".getBytes(), HopRefusal.MALFORMED);
  }

  @Test
  void anOversizedHeaderIsMalformed() throws Exception {
    byte[] prefix = java.util.Arrays.copyOf(HopHeader.greeting(CHAIN, 1, 5).encode(KEY), 16);
    prefix[14] = 0x7f;
    refused(prefix, HopRefusal.MALFORMED);
  }

  @Test
  void aWrongKeyIsRefused() throws Exception {
    refused(HopHeader.greeting(CHAIN, 1, 1).encode(HopHeaderTest.key(2)), HopRefusal.WRONG_KEY);
  }

  @Test
  void aHeaderForAnotherRelayOfTheChainIsRefused() throws Exception {
    refused(HopHeader.greeting(CHAIN, 2, 1).encode(KEY), HopRefusal.WRONG_KEY);
  }

  @Test
  void anUnknownChainIsRefusedAfterAWhile() throws Exception {
    refused(HopHeader.greeting(new UUID(9, 9), 1, 1).encode(KEY), HopRefusal.UNKNOWN_CHAIN);
    assertThat(server.parkedConnections()).isZero();
  }

  @Test
  void aReplayedHeaderIsRefused() throws Exception {
    byte[] header = HopHeader.greeting(CHAIN, 1, 1).encode(KEY);
    try (Socket first = connect()) {
      first.getOutputStream().write(header);
      assertThat(first.getInputStream().read()).isEqualTo(0x0d);
      refused(header, HopRefusal.REPLAYED);
    }
  }

  @Test
  void aGreetingThatIsThereBeforeItsChainIsWelcomedWhenTheChainComes() throws Exception {
    UUID late = new UUID(5, 5);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(HopHeader.greeting(late, 1, 1).encode(KEY));
      await().until(() -> server.parkedConnections() == 1);
      server.install(late, new HopInlet(KEY, 1, (inlet, start, early) -> early.release()));
      assertThat(socket.getInputStream().readNBytes(12)[0]).isEqualTo((byte) 0x0d);
    }
  }

  private void refused(byte[] bytes, HopRefusal reason) throws Exception {
    long before = server.refusals().of(reason);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes);
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
    await().until(() -> server.refusals().of(reason) == before + 1);
  }

  private static int readOrReset(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1; // a reset: no byte either
    }
  }

  private Socket connect() throws IOException {
    InetSocketAddress at = HopServer.addressOf(listening);
    Socket socket = new Socket(at.getAddress(), at.getPort());
    socket.setSoTimeout(10_000);
    return socket;
  }
}
