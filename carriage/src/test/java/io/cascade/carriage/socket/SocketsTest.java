package io.cascade.carriage.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.carriage.transport.Transport;
import io.cascade.carriage.transport.UnsentLimit;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.testing.ReservedPort;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What connections have from their first moment. */
@Timeout(30)
class SocketsTest {
  private static final int LOOPS = 4;
  private static final IntegerUnixChannelOption KEEP_IDLE =
      new IntegerUnixChannelOption("test idle", 6, 4);
  private static final RawUnixChannelOption CONGESTION =
      new RawUnixChannelOption("test congestion", 6, 13, 16);
  private static final SocketTuning SLOW_KEEP_ALIVE =
      new SocketTuning(null, true, Duration.ofSeconds(77), null);

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  /** Those that reach what the JDK does not offer. */
  static Stream<Transport> nativeTransports() {
    return transports().filter(Transport::isNative);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void anAcceptedConnectionIsArmedToResetBeforeAnyHandlerSeesIt(Transport transport)
      throws Exception {
    with(
        transport,
        sockets -> {
          Channel accepted = accept(sockets, SocketTuning.defaults());
          assertThat(accepted.config().getOption(ChannelOption.SO_LINGER)).isZero();
          sockets.tune(accepted, SocketTuning.defaults());
          assertThat(accepted.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
          assertThat(accepted.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
        });
  }

  @ParameterizedTest
  @MethodSource("transports")
  void connectionsOfOnePortAreSpreadEvenlyOverTheEventLoops(Transport transport) throws Exception {
    int number = 8;
    Map<EventExecutor, Integer> accepted = new ConcurrentHashMap<>();
    CountDownLatch all = new CountDownLatch(LOOPS * number);
    List<Socket> clients = new ArrayList<>();
    with(
        transport,
        LOOPS,
        sockets -> {
          Channel listening =
              sockets
                  .listen(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                      SocketTuning.defaults(),
                      () ->
                          new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelActive(ChannelHandlerContext context) {
                              accepted.merge(context.executor(), 1, Integer::sum);
                              all.countDown();
                            }
                          })
                  .sync()
                  .channel();
          for (int i = 0; i < LOOPS * number; i++) {
            Socket client = new Socket();
            client.connect(listening.localAddress());
            clients.add(client);
          }
          assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
          assertThat(accepted).hasSize(LOOPS);
          assertThat(accepted.values()).containsOnly(number);
        });
    for (Socket client : clients) {
      client.close();
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aConnectionThatIsMadeIsArmedToResetToo(Transport transport) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      with(
          transport,
          sockets -> {
            Channel made = connect(sockets, server.getLocalPort()).get(10, TimeUnit.SECONDS);
            assertThat(made.config().getOption(ChannelOption.SO_LINGER)).isZero();
            assertThat(made.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(made.config().isAutoRead()).isFalse();
            SLOW_KEEP_ALIVE.keepAlive(made);
            assertThat(made.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
          });
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aRefusedConnectionIsToldAndClosed(Transport transport) throws Exception {
    int nobody = ReservedPort.untilTheEnd();
    with(
        transport,
        sockets ->
            assertThatThrownBy(() -> connect(sockets, nobody).get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("refused"));
  }

  /** Nobody takes connections from a queue that is full: the kernel answers no more of them. */
  @ParameterizedTest
  @MethodSource("transports")
  void aConnectionThatIsNotAnsweredIsGivenUpInTime(Transport transport) throws Exception {
    List<SocketChannel> queue = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 8; i++) {
        SocketChannel waiting = SocketChannel.open();
        queue.add(waiting);
        waiting.configureBlocking(false);
        waiting.connect(full.getLocalSocketAddress());
      }
      with(
          transport,
          sockets ->
              assertThatThrownBy(() ->
                      connect(sockets, full.getLocalPort(), Duration.ofMillis(300))
                          .get(10, TimeUnit.SECONDS))
                  .hasCauseInstanceOf(ConnectTimeoutException.class)
                  .hasMessageContaining("300 ms"));
    } finally {
      for (SocketChannel waiting : queue) {
        waiting.close();
      }
    }
  }

  @Test
  void whatTheListeningSocketWasToldItsConnectionsHave() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    with(
        Transport.EPOLL,
        sockets -> {
          Channel accepted =
              accept(sockets, new SocketTuning("reno", true, Duration.ofSeconds(77), null));
          assertThat(accepted.config().getOption(KEEP_IDLE)).isEqualTo(77);
          assertThat(congestionControl(accepted)).isEqualTo("reno");
        });
  }

  @Test
  void aChainThatWantsOtherwiseGetsIt() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    with(
        Transport.EPOLL,
        sockets -> {
          Channel accepted =
              accept(sockets, new SocketTuning("reno", true, Duration.ofSeconds(15), null));
          sockets.tune(accepted, new SocketTuning(null, false, Duration.ofSeconds(77), null));
          assertThat(accepted.config().getOption(KEEP_IDLE)).isEqualTo(77);
          assertThat(accepted.config().getOption(ChannelOption.TCP_NODELAY)).isFalse();
          assertThat(congestionControl(accepted)).isEqualTo(KernelSettings.congestionControl());
        });
  }

  @Test
  void aChainMayDoWithoutKeepAlive() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    with(
        Transport.EPOLL,
        sockets -> {
          Channel accepted = accept(sockets, SLOW_KEEP_ALIVE);
          sockets.tune(accepted, new SocketTuning(null, true, Duration.ZERO, null));
          assertThat(accepted.config().getOption(ChannelOption.SO_KEEPALIVE)).isFalse();
        });
  }

  @ParameterizedTest
  @MethodSource("nativeTransports")
  void whatCannotBeSentWaitsWithItsOwnerAndNotInTheKernel(Transport transport) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      with(
          transport,
          sockets -> {
            Channel made = connect(sockets, server.getLocalPort()).get(10, TimeUnit.SECONDS);
            try (Socket nobodyReads = server.accept()) {
              assertThat(nobodyReads.isConnected()).isTrue();
              made.writeAndFlush(Unpooled.directBuffer().writeZero(64 << 20));
              assertThat(unsentAtRest(made))
                  .isBetween(UnsentLimit.BYTES / 2L, UnsentLimit.BYTES * 5L / 4);
            }
          });
    }
  }

  @Test
  void acceptedConnectionsHaveThatFromTheirListeningSocket() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    with(
        Transport.EPOLL,
        sockets ->
            assertThat(
                    accept(sockets, SocketTuning.defaults()).config().getOption(UnsentLimit.OPTION))
                .isEqualTo(UnsentLimit.BYTES));
  }

  /** Once the receiver's kernel has taken all it will. */
  private static long unsentAtRest(Channel channel) {
    long[] last = {0};
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> {
          TcpInfo info = TcpInfo.of(channel);
          long now = info == null ? 0 : info.notSentBytes();
          boolean rests = now > 0 && now == last[0];
          last[0] = now;
          return rests;
        });
    return last[0];
  }

  private static String congestionControl(Channel channel) {
    ByteBuffer name = channel.config().getOption((ChannelOption<ByteBuffer>) CONGESTION);
    return StandardCharsets.US_ASCII.decode(name).toString().replace("\0", "");
  }

  private static Future<Channel> connect(Sockets sockets, int port) {
    return connect(sockets, port, Duration.ofSeconds(5));
  }

  private static Future<Channel> connect(Sockets sockets, int port, Duration timeout) {
    var loop = sockets.loops().next();
    CompletableFuture<Future<Channel>> started = new CompletableFuture<>();
    loop.execute(() ->
        started.complete(
            sockets.connect(
                loop,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                SocketTuning.defaults(),
                timeout,
                false,
                null)));
    return started.join();
  }

  /** A connection as its first handler finds it. */
  private static Channel accept(Sockets sockets, SocketTuning tuning) throws Exception {
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    ChannelHandler first =
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelActive(ChannelHandlerContext context) {
            accepted.complete(context.channel());
          }
        };
    Channel listening =
        sockets
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tuning, () -> first)
            .sync()
            .channel();
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return accepted.get(10, TimeUnit.SECONDS);
    }
  }

  private static void with(Transport transport, Check check) throws Exception {
    with(transport, 1, check);
  }

  private static void with(Transport transport, int threads, Check check) throws Exception {
    var loops = new MultiThreadIoEventLoopGroup(threads, transport.newIoHandlerFactory());
    try {
      check.run(new Sockets(transport, loops));
    } finally {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  private interface Check {
    void run(Sockets sockets) throws Exception;
  }
}
