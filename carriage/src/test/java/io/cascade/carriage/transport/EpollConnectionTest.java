package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection and a program at its other end. */
@Timeout(60)
class EpollConnectionTest {
  private static final String END = "end";
  private static final String ROUND = "round";

  /** SO_ERROR of SOL_SOCKET, which is no error any more once it was read. */
  private static final RawUnixChannelOption PENDING_ERROR =
      new RawUnixChannelOption("SO_ERROR", 1, 4, Integer.BYTES);

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private MultiThreadIoEventLoopGroup loops;
  private ServerSocket listening;
  private Channel connection;
  private Socket peer;

  @BeforeEach
  void connect() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "NOT TESTED: no epoll");
    loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    connection = Transport.EPOLL.newSocket(listening.getLocalSocketAddress());
    connection.config().setAutoRead(false);
    connection.pipeline().addLast(new Listening());
    loops.register(connection).sync();
    connection.connect(listening.getLocalSocketAddress()).sync();
    peer = listening.accept();
  }

  @AfterEach
  void close() throws Exception {
    if (loops != null) {
      connection.close().sync();
      peer.close();
      listening.close();
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    }
  }

  /**
   * @param to a port on which nobody listens any more, or a broadcast address, to which no TCP goes
   */
  @ParameterizedTest
  @CsvSource({"127.0.0.1, REFUSED", "127.255.255.255, NETWORK_UNREACHABLE"})
  void aConnectionThatCannotBeMadeSaysWhy(String to, ConnectionError error) throws Exception {
    InetSocketAddress nobody = new InetSocketAddress(to, listening.getLocalPort());
    listening.close();
    Channel failing = Transport.EPOLL.newSocket(nobody);
    loops.register(failing).sync();

    Throwable failure = failing.connect(nobody).await().cause();

    assertThat(ConnectionError.of(failure)).isEqualTo(error);
    assertThat(failure).hasMessageContaining(to);
    failing.closeFuture().sync();
  }

  @Test
  void readsNothingUnaskedAlsoWhenThePeerHasFinished() throws Exception {
    peer.getOutputStream().write(1);
    peer.shutdownOutput();
    aFewRounds();
    assertThat(told).isEmpty();

    connection.read();
    assertThat(told.take()).isEqualTo("01");
    assertThat(told.take()).isEqualTo(ROUND);
    aFewRounds();
    assertThat(told).isEmpty();

    connection.read();
    assertThat(told.take()).isEqualTo(ROUND);
    assertThat(told.take()).isEqualTo(END);
  }

  @Test
  void tellsOfAResetThatComesWhileNobodyReads() throws Exception {
    peer.shutdownOutput();
    connection.read();
    assertThat(told.take()).isEqualTo(ROUND);
    assertThat(told.take()).isEqualTo(END);

    peer.setSoLinger(true, 0);
    peer.close();
    assertThat(told.take()).contains("reset");
  }

  @Test
  void tellsWhatCameBeforeAReset() throws Exception {
    peer.getOutputStream().write(7);
    peer.setSoLinger(true, 0);
    peer.close();
    aFewRounds();

    connection.read();
    assertThat(told.take()).isEqualTo("07");
    assertThat(told.take()).isEqualTo(ROUND);
    connection.read();
    assertThat(told.take()).isEqualTo(ROUND);
    assertThat(told.take()).contains("reset");
  }

  /** The kernel reports such a reset as an end of the input. */
  @Test
  void takesNoResetForAnEndWhoseErrorSomebodyElseHasConsumed() throws Exception {
    peer.setSoLinger(true, 0);
    peer.close();
    aFewRounds();
    connection
        .eventLoop()
        .submit(() -> connection.config().getOption(PENDING_ERROR)) // as a write does that fails
        .sync();

    connection.read();
    assertThat(told.take()).isEqualTo(ROUND);
    assertThat(told.take()).contains("reset");
  }

  @Test
  void writesBuffersOfEveryKindInTheirOrder() throws Exception {
    ByteBuf expected = Unpooled.buffer();
    Random random = new Random(5);
    connection
        .eventLoop()
        .submit(() -> {
          for (int i = 0; i < 3_000; i++) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            expected.writeBytes(bytes);
            connection.write(
                switch (i % 4) {
                  case 0 -> Unpooled.wrappedBuffer(bytes);
                  case 1 -> connection.alloc().directBuffer().writeBytes(bytes);
                  case 2 -> Unpooled.directBuffer().writeBytes(bytes);
                  default ->
                      Unpooled.wrappedBuffer(
                          connection.alloc().directBuffer().writeBytes(bytes, 0, bytes.length / 2),
                          connection
                              .alloc()
                              .directBuffer()
                              .writeBytes(
                                  bytes, bytes.length / 2, bytes.length - bytes.length / 2));
                });
          }
          connection.writeAndFlush(Unpooled.EMPTY_BUFFER);
        });
    byte[] read = peer.getInputStream().readNBytes(expectedLength(expected));
    assertThat(read).isEqualTo(ByteBufUtil.getBytes(expected));
  }

  @Test
  void knowsWhereItsEndsAre() {
    assertThat(connection.localAddress()).isEqualTo(peer.getRemoteSocketAddress());
    assertThat(connection.remoteAddress()).isEqualTo(peer.getLocalSocketAddress());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void whoListensAtEveryAddressIsReachedAtEach(String address) throws Exception {
    InetAddress at = InetAddress.getByName(address);
    assumeTrue(NetworkInterface.getByInetAddress(at) != null, () -> "NOT TESTED: no " + address);
    InetSocketAddress all = new InetSocketAddress("0.0.0.0", 0);
    Channel listener = Transport.EPOLL.newListener(all, 1);
    BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    listener
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                Channel served = (Channel) message;
                loops.register(served).addListener(_ -> accepted.add(served));
              }
            });
    loops.register(listener).sync();
    listener.bind(all).sync();
    int port = ((InetSocketAddress) listener.localAddress()).getPort();
    try (Socket client = new Socket(at, port)) {
      Channel served = accepted.take();
      assertThat(served.localAddress()).isEqualTo(client.getRemoteSocketAddress());
      assertThat(served.remoteAddress()).isEqualTo(client.getLocalSocketAddress());
      served.close().sync();
    }
    listener.close().sync();
  }

  /** Its number is another's as soon as one asks for one. */
  @Test
  void asksTheKernelNothingOnceItIsClosed() throws Exception {
    connection.close().sync();
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
      assertThatThrownBy(() -> connection.config().setOption(ChannelOption.SO_LINGER, 0))
          .isInstanceOf(ChannelException.class);
      assertThatThrownBy(() -> connection.config().getOption(ChannelOption.TCP_NODELAY))
          .isInstanceOf(ChannelException.class);
    }
  }

  private int expectedLength(ByteBuf expected) throws Exception {
    return connection.eventLoop().submit(expected::readableBytes).get();
  }

  /** Whatever the kernel had to report, it has. */
  private void aFewRounds() throws Exception {
    for (int i = 0; i < 3; i++) {
      connection.eventLoop().submit(() -> {}).get();
      Thread.sleep(10);
    }
  }

  private final class Listening extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      told.add(HexFormat.of().formatHex(ByteBufUtil.getBytes(bytes)));
      bytes.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      told.add(ROUND);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      assertThat(event).isEqualTo(ChannelInputShutdownReadComplete.INSTANCE);
      told.add(END);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      assertThat(cause).isInstanceOf(IOException.class);
      told.add(String.valueOf(cause.getMessage()));
    }
  }
}
