package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The kernel says itself what it was told. */
class SocketTuningTest {
  private static final int MAX_PACING_RATE_IN_TCP_INFO = 112;

  @Test
  void limitsTheRateAtWhichTheKernelSends() throws Exception {
    Transport transport = Transport.EPOLL;
    assumeTrue(transport.available(), () -> "NOT TESTED: no " + transport);
    SocketTuning tuning = new SocketTuning(null, true, Duration.ofSeconds(15), 1_250_000L);
    var loops = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Channel dialled = transport.newSocket(server.getLocalSocketAddress());
      tuning.prepare(dialled);
      loops.register(dialled).syncUninterruptibly();
      dialled.connect(server.getLocalSocketAddress()).syncUninterruptibly();
      assertThat(mostBytesPerSecond(dialled)).isEqualTo(1_250_000);
      dialled.close().syncUninterruptibly();
    } finally {
      loops.shutdownGracefully();
    }
  }

  private static long mostBytesPerSecond(Channel channel) {
    ChannelOption<ByteBuffer> info = new RawUnixChannelOption("TCP_INFO", 6, 11, 280);
    return channel
        .config()
        .getOption(info)
        .order(ByteOrder.nativeOrder())
        .getLong(MAX_PACING_RATE_IN_TCP_INFO);
  }
}
