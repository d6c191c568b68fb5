package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many connections may wait. */
class WaitingLimitsTest {
  private static final int MOST = 1_024;
  private static final HopKey KEY = HopHeaderTest.key(1);

  @Test
  void soManyConnectionsOfAChainWaitForAStreamAndOneThatLeavesMakesRoom() {
    HopReceiver inlet = new HopReceiver(KEY, null, hop(1), (_, _, early) -> early.release());
    List<Channel> waiting = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      Channel channel = new EmbeddedChannel();
      waiting.add(channel);
      assertThat(inlet.keepWaiting(channel)).isTrue();
    }
    assertThat(inlet.keepWaiting(new EmbeddedChannel())).isFalse();
    inlet.stopsWaiting(waiting.getFirst());
    assertThat(inlet.keepWaiting(new EmbeddedChannel())).isTrue();
  }

  @Test
  void soManyConnectionsWaitForTheirChainAndOneThatLeavesMakesRoom() {
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(1, Transport.NIO.newIoHandlerFactory());
    try {
      HopServer server =
          new HopServer(
              new Sockets(Transport.NIO, loops),
              new HopTls("here", TlsLibrary.JDK),
              Duration.ofSeconds(1));
      UUID chain = new UUID(1, 2);
      ChannelHandlerContext first = connection();
      assertThat(server.park(chain, first)).isTrue();
      for (int i = 1; i < MOST; i++) {
        assertThat(server.park(new UUID(1, i), connection())).isTrue();
      }
      assertThat(server.park(chain, connection())).isFalse();
      server.unpark(chain, first);
      assertThat(server.park(chain, connection())).isTrue();
    } finally {
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private static ChannelHandlerContext connection() {
    return new EmbeddedChannel(new ChannelInboundHandlerAdapter()).pipeline().firstContext();
  }

  private static HopAddress hop(int number) {
    return new HopAddress(0, 0, number);
  }
}
