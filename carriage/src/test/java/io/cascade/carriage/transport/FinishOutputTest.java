package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class FinishOutputTest {
  /** More than the buffers of a connection take whose peer does not read. */
  private static final int BYTES = 64 << 20;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void theEndComesBehindAllThatWasWritten(Transport transport) throws Exception {
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress at = (InetSocketAddress) listening.getLocalSocketAddress();
      Channel channel = connect(loops, transport, at);
      try (Socket peer = listening.accept()) {
        ChannelFuture ended = finishWhileMuchIsOnItsWay(channel);

        assertThat(peer.getInputStream().readAllBytes()).hasSize(BYTES);
        assertThat(ended.await().isSuccess()).isTrue();
      }
    } finally {
      loops.shutdownGracefully().syncUninterruptibly();
    }
  }

  private static Channel connect(EventLoopGroup loops, Transport transport, InetSocketAddress at) {
    return new Bootstrap()
        .group(loops)
        .channelFactory(() -> transport.newSocket(at))
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.AUTO_READ, false)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(at)
        .syncUninterruptibly()
        .channel();
  }

  private static ChannelFuture finishWhileMuchIsOnItsWay(Channel channel) throws Exception {
    return channel
        .eventLoop()
        .submit(() -> {
          ChannelFuture written = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[BYTES]));
          assertThat(written.isDone()).as("all was taken at once").isFalse();
          return Connection.of(channel).finishOutput();
        })
        .get();
  }
}
