package io.cascade.carriage.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection that moves to another event loop goes on there as if it had always been there. */
@Timeout(30)
class MovedConnectionTest {
  private static final int CONNECTIONS = 200;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void isReadWrittenAndEndedOnItsNewEventLoopAlone(Transport transport) throws Exception {
    var loops = new MultiThreadIoEventLoopGroup(3, transport.newIoHandlerFactory());
    try {
      Sockets sockets = new Sockets(transport, loops);
      EventLoop home = loops.next();
      Set<EventExecutor> seen = ConcurrentHashMap.newKeySet();
      Channel listening =
          sockets
              .listen(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  SocketTuning.defaults(),
                  () -> moving(sockets, home, seen))
              .sync()
              .channel();
      for (int i = 0; i < CONNECTIONS; i++) {
        try (Socket client = new Socket()) {
          client.connect(listening.localAddress());
          client.setSoTimeout(10_000);
          byte[] sent = ("hello " + i).getBytes(StandardCharsets.UTF_8);
          client.getOutputStream().write(sent);
          client.shutdownOutput();
          assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
        }
      }
      assertThat(seen).containsExactly(home);
    } finally {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  /** Moves a connection from whichever event loop it has been given to {@code home}. */
  private static ChannelHandler moving(Sockets sockets, EventLoop home, Set<EventExecutor> seen) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        channel.pipeline().remove(this);
        sockets
            .move(channel, home)
            .addListener(moved -> {
              if (moved.isSuccess()) {
                seen.add(channel.eventLoop());
                channel.pipeline().addLast(new Echo(seen));
                channel.read();
              }
            });
      }
    };
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    private final Set<EventExecutor> seen;

    Echo(Set<EventExecutor> seen) {
      this.seen = seen;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      seen.add(context.executor());
      context.writeAndFlush((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownReadComplete) {
        seen.add(context.executor());
        Connection.of(context.channel()).closeInOrder();
      }
    }
  }
}
