package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The hop port gives no byte to a peer without a chain's key, and counts it. */
@Timeout(30)
@ParameterizedClass
@MethodSource("transports")
class HopPortTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final HopKey KEY = HopHeaderTest.key(1);

  private final Transport transport;
  private final List<StreamStart> arrived = new CopyOnWriteArrayList<>();
  private final AtomicInteger earlyBytes = new AtomicInteger();
  private final HopTls tls = new HopTls("here", TlsLibrary.AUTO);
  private MultiThreadIoEventLoopGroup loops;
  private HopServer server;
  private Channel listening;

  HopPortTest(Transport transport) {
    this.transport = transport;
  }

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @BeforeEach
  void listen() {
    LeakWatch.start();
    loops = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    server = new HopServer(new Sockets(transport, loops), tls, Duration.ofMillis(300));
    listening =
        server
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
    server.install(CHAIN, List.of(new HopReceiver(KEY, null, hop(1), this::arrived)));
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
    byte[] header = HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY);
    refused(java.util.Arrays.copyOf(header, 40), HopRefusal.TIMED_OUT);
  }

  @Test
  void somethingElseIsMalformed() throws Exception {
    refused("GET / HTTP/1.1\r\n\r\n".getBytes(), HopRefusal.MALFORMED);
  }

  @Test
  void aFloodOfSomethingElseIsMalformed() throws Exception {
    for (int i = 0; i < 20; i++) {
      refused(new byte[100_000], HopRefusal.MALFORMED);
    }
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void anOversizedHeaderIsMalformed() throws Exception {
    byte[] prefix = java.util.Arrays.copyOf(HopHeader.greeting(CHAIN, hop(1), 5).encode(KEY), 16);
    prefix[14] = 0x7f;
    refused(prefix, HopRefusal.MALFORMED);
  }

  @Test
  void aWrongKeyIsRefused() throws Exception {
    refused(
        HopHeader.greeting(CHAIN, hop(1), 1).encode(HopHeaderTest.key(2)), HopRefusal.WRONG_KEY);
  }

  @Test
  void aHeaderForAnotherRelayOfTheChainIsRefused() throws Exception {
    refused(HopHeader.greeting(CHAIN, hop(2), 1).encode(KEY), HopRefusal.WRONG_KEY);
  }

  @Test
  void aHeaderOfAnotherPipeOrSegmentIsRefused() throws Exception {
    refused(
        HopHeader.greeting(CHAIN, new HopAddress(0, 1, 1), 1).encode(KEY), HopRefusal.WRONG_KEY);
    refused(
        HopHeader.greeting(CHAIN, new HopAddress(1, 0, 1), 2).encode(KEY), HopRefusal.WRONG_KEY);
  }

  @Test
  void anUnknownChainIsRefusedAfterAWhile() throws Exception {
    refused(HopHeader.greeting(new UUID(9, 9), hop(1), 1).encode(KEY), HopRefusal.UNKNOWN_CHAIN);
    assertThat(server.parkedConnections()).isZero();
  }

  @Test
  void aReplayedHeaderIsRefused() throws Exception {
    byte[] header = HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY);
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
      socket.getOutputStream().write(HopHeader.greeting(late, hop(1), 1).encode(KEY));
      await().until(() -> server.parkedConnections() == 1);
      server.install(late, List.of(new HopReceiver(KEY, null, hop(1), this::arrived)));
      assertThat(socket.getInputStream().readNBytes(12)[0]).isEqualTo((byte) 0x0d);
    }
  }

  @Test
  void bytesThatTrickleInDoNotExtendTheTime() throws Exception {
    byte[] header = HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY);
    try (Socket socket = connect()) {
      socket.setTcpNoDelay(true);
      AtomicInteger written = new AtomicInteger();
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> {
            // The last byte never goes out: whoever got extra time for each would wait for ever.
            int next = Math.min(written.getAndIncrement(), header.length - 2);
            return !wrote(socket, header[next]) || server.refusals().of(HopRefusal.TIMED_OUT) == 1;
          });
      assertThat(readOrReset(socket)).isEqualTo(-1);
      assertThat(server.refusals().of(HopRefusal.TIMED_OUT)).isEqualTo(1);
      assertThat(written.get()).isLessThan(header.length - 1);
    }
  }

  @Test
  void anAnswerIsNoQuestion() throws Exception {
    refused(HopHeader.greeting(CHAIN, hop(1), 1).answer().encode(KEY), HopRefusal.WRONG_KEY);
  }

  @Test
  void aRecordedStreamIsRefused() throws Exception {
    StreamStart start =
        new StreamStart(
            new UUID(3, 4),
            new InetSocketAddress("10.1.2.3", 40_000),
            new InetSocketAddress("10.4.5.6", 20_000));
    byte[] header = HopHeader.stream(CHAIN, hop(1), 1, start).encode(KEY);
    try (Socket first = connect()) {
      first.getOutputStream().write(header);
      assertThat(first.getInputStream().read()).isEqualTo(0x0d);
      refused(header, HopRefusal.REPLAYED);
      assertThat(arrived).containsExactly(start);
    }
  }

  @Test
  void aPeerThatLeavesInTheMiddleOfItsHeaderIsCounted() throws Exception {
    byte[] header = HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(header, 0, 20);
      socket.shutdownOutput();
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
    await().until(() -> server.refusals().of(HopRefusal.GONE) == 1);
  }

  @Test
  void aPeerThatLeavesAfterItsGreetingIsNoRefusal() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY));
      assertThat(socket.getInputStream().readNBytes(welcomeBytes())).hasSize(welcomeBytes());
      socket.shutdownOutput();
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
    for (HopRefusal reason : HopRefusal.values()) {
      assertThat(server.refusals().of(reason)).isZero();
    }
  }

  /** It would be closed with the first chain, whatever it carried then. */
  @Test
  void aConnectionThatIsKeptForOneChainMayNotGreetAnother() throws Exception {
    UUID other = new UUID(6, 6);
    server.install(other, List.of(new HopReceiver(KEY, null, hop(1), this::arrived)));
    try (Socket socket = connect()) {
      socket.getOutputStream().write(HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY));
      assertThat(socket.getInputStream().readNBytes(welcomeBytes())).hasSize(welcomeBytes());
      socket.getOutputStream().write(HopHeader.greeting(other, hop(1), 1).encode(KEY));
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
    assertThat(server.refusals().of(HopRefusal.MALFORMED)).isEqualTo(1);
  }

  @Test
  void aStreamOnAKeptConnectionIsParkedUntilItsChainComes() throws Exception {
    UUID late = new UUID(7, 7);
    StreamStart start =
        new StreamStart(
            new UUID(3, 5),
            new InetSocketAddress("10.1.2.3", 40_000),
            new InetSocketAddress("10.4.5.6", 20_000));
    try (Socket socket = connect()) {
      socket.getOutputStream().write(HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY));
      assertThat(socket.getInputStream().readNBytes(welcomeBytes())).hasSize(welcomeBytes());
      socket.getOutputStream().write(HopHeader.stream(late, hop(1), 2, start).encode(KEY));
      await().until(() -> server.parkedConnections() == 1);
      server.install(late, List.of(new HopReceiver(KEY, null, hop(1), this::arrived)));
      await().until(() -> arrived.contains(start));
      assertThat(server.parkedConnections()).isZero();
    }
  }

  @Test
  void aWaitingConnectionIsClosedWithItsChain() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY));
      assertThat(socket.getInputStream().readNBytes(welcomeBytes())).hasSize(welcomeBytes());
      server.remove(CHAIN);
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
  }

  @Test
  void aStreamOnAGreetedConnectionArrivesWithTheBytesBehindItsHeader() throws Exception {
    StreamStart start =
        new StreamStart(
            new UUID(3, 4),
            new InetSocketAddress("10.1.2.3", 40_000),
            new InetSocketAddress("10.4.5.6", 20_000));
    ByteBuf all =
        Unpooled.wrappedBuffer(
            HopHeader.greeting(CHAIN, hop(1), 1).encode(KEY),
            HopHeader.stream(CHAIN, hop(1), 2, start).encode(KEY),
            new byte[] {1, 2, 3});
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ByteBufUtil.getBytes(all)); // in one segment
      await().until(() -> earlyBytes.get() == 3);
      assertThat(arrived).containsExactly(start);
    }
  }

  private static int welcomeBytes() {
    return HopHeader.greeting(CHAIN, hop(1), 1).answer().encode(KEY).length;
  }

  private static boolean wrote(Socket socket, byte value) {
    try {
      socket.getOutputStream().write(value);
      return true;
    } catch (IOException e) {
      return false; // closed by the relay
    }
  }

  private void refused(byte[] bytes, HopRefusal reason) throws Exception {
    long before = server.refusals().of(reason);
    try (Socket socket = connect()) {
      try {
        socket.getOutputStream().write(bytes);
      } catch (IOException e) {
        // refused before it had come whole
      }
      assertThat(readOrReset(socket)).isEqualTo(-1);
    }
    await().until(() -> server.refusals().of(reason) == before + 1);
  }

  private void arrived(Channel inlet, StreamStart start, ByteBuf early) {
    arrived.add(start);
    earlyBytes.addAndGet(early.readableBytes());
    early.release();
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

  private static HopAddress hop(int number) {
    return new HopAddress(0, 0, number);
  }
}
