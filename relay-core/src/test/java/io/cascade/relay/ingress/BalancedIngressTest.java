package io.cascade.relay.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A chain's port for applications behind a load balancer that speaks the PROXY protocol. */
@Timeout(30)
@ParameterizedClass
@MethodSource("transports")
class BalancedIngressTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final byte[] LOCAL = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a20000000");
  private static final String GUEST = "PROXY TCP4 192.0.2.7 192.0.2.1 5000 20000\r\n";

  private final Transport transport;
  private final List<String> arrived = new CopyOnWriteArrayList<>();
  private final List<Channel> inlets = new CopyOnWriteArrayList<>();
  private MultiThreadIoEventLoopGroup loops;
  private Sockets sockets;

  BalancedIngressTest(Transport transport) {
    this.transport = transport;
  }

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @BeforeEach
  void start() {
    LeakWatch.start();
    loops = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    sockets = new Sockets(transport, loops);
  }

  @AfterEach
  void stop() throws Exception {
    inlets.forEach(Channel::close);
    loops.shutdownGracefully();
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void aStreamIsOfTheClientThatTheBalancerNames() throws Exception {
    try (IngressListener listener = listen("127.0.0.0/8");
        Socket _ = connect(listener, GUEST + "first bytes")) {
      await().until(() -> !arrived.isEmpty());
      assertThat(arrived).containsExactly("192.0.2.7:5000 at 192.0.2.1:20000: first bytes");
    }
  }

  /** So that servers that speak first do. */
  @Test
  void aStreamBeginsBehindTheHeaderAlone() throws Exception {
    try (IngressListener listener = listen("127.0.0.0/8");
        Socket _ = connect(listener, GUEST)) {
      await().until(() -> !arrived.isEmpty());
      assertThat(arrived).containsExactly("192.0.2.7:5000 at 192.0.2.1:20000: ");
    }
  }

  @Test
  void fromOthersAHeaderIsDataLikeAnyOther() throws Exception {
    try (IngressListener listener = listen("203.0.113.0/24");
        Socket client = connect(listener, GUEST)) {
      await().until(() -> !arrived.isEmpty());
      assertThat(arrived)
          .singleElement()
          .asString()
          .startsWith("127.0.0.1:" + client.getLocalPort() + " at ");
    }
  }

  @Test
  void aLookAtThePortsHealthBeginsNoStream() throws Exception {
    try (IngressListener listener = listen("127.0.0.0/8")) {
      connect(listener, "").close();
      try (Socket check = connect(listener, "")) {
        check.getOutputStream().write(LOCAL);
        check.shutdownOutput();
        assertEnds(check);
      }
      try (Socket _ = connect(listener, GUEST)) {
        await().until(() -> !arrived.isEmpty());
      }
      assertThat(arrived).hasSize(1);
    }
  }

  @Test
  void whoSendsBytesBehindLocalIsTheBalancerItself() throws Exception {
    try (IngressListener listener = listen("127.0.0.0/8");
        Socket check = connect(listener, "")) {
      check.getOutputStream().write(LOCAL);
      check.getOutputStream().write("PING".getBytes(StandardCharsets.US_ASCII));
      await().until(() -> !arrived.isEmpty());
      assertThat(arrived)
          .singleElement()
          .asString()
          .startsWith("127.0.0.1:" + check.getLocalPort() + " at ")
          .endsWith(": PING");
    }
  }

  @Test
  void aBalancerThatSendsNoHeaderGetsNoStream() throws Exception {
    try (IngressListener listener = listen("127.0.0.0/8");
        Socket client = connect(listener, "GET / HTTP/1.1\r\n")) {
      assertEnds(client);
      assertThat(arrived).isEmpty();
    }
  }

  private IngressListener listen(String balancer) throws IOException {
    return IngressListener.open(
        sockets,
        new InetSocketAddress(LOOPBACK, 0),
        SocketTuning.defaults(),
        Balancers.parse(List.of(balancer)),
        this::arrived);
  }

  /**
   * Keeps the inlet open until the test ends: a stream may begin before the client's first bytes
   * are there, and these would meet a closed socket.
   */
  private void arrived(Channel inlet, StreamStart start, ByteBuf early) {
    inlets.add(inlet);
    arrived.add(
        "%s:%d at %s:%d: %s"
            .formatted(
                start.client().getAddress().getHostAddress(),
                start.client().getPort(),
                start.ingress().getAddress().getHostAddress(),
                start.ingress().getPort(),
                early.toString(StandardCharsets.US_ASCII)));
    early.release();
  }

  private static Socket connect(IngressListener listener, String first) throws IOException {
    Socket client = new Socket(LOOPBACK, listener.address().getPort());
    client.setSoTimeout(20_000);
    client.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  private static void assertEnds(Socket client) {
    try {
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }
}
