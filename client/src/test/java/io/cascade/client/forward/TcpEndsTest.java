package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.HostPort;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.Transport;
import io.cascade.testing.ReservedPort;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The connections of a junction's own side. */
class TcpEndsTest {
  private static final int IPPROTO_TCP = 6;
  private static final IntegerUnixChannelOption KEEP_IDLE =
      new IntegerUnixChannelOption("END_KEEPIDLE", IPPROTO_TCP, 4);
  private static final IntegerUnixChannelOption KEEP_INTERVAL =
      new IntegerUnixChannelOption("END_KEEPINTVL", IPPROTO_TCP, 5);
  private static final IntegerUnixChannelOption KEEP_PROBES =
      new IntegerUnixChannelOption("END_KEEPCNT", IPPROTO_TCP, 6);

  @Test
  void theKernelGivesUpAPeerThatVanished() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "SKIPPED: the JDK's sockets have no such options here");
    CompletableFuture<Connection> arrived = new CompletableFuture<>();
    Channel server =
        TcpEnds.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            TcpEnds.LOCAL,
            () -> new AcceptHandler(arrived::complete));
    Connection dialled =
        TcpEnds.connect(
            new HostPort("127.0.0.1", ((InetSocketAddress) server.localAddress()).getPort()),
            TcpEnds.LOCAL,
            TcpEnds.nextLoop());
    Connection accepted = arrived.get(30, TimeUnit.SECONDS);
    try {
      for (Connection connection : List.of(dialled, accepted)) {
        assertThat(connection.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
        assertThat(connection.config().getOption(KEEP_IDLE)).isEqualTo(15);
        assertThat(connection.config().getOption(KEEP_INTERVAL)).isEqualTo(5);
        assertThat(connection.config().getOption(KEEP_PROBES)).isEqualTo(3);
      }
    } finally {
      dialled.close();
      accepted.close();
      server.close();
    }
  }

  @Test
  void whoDoesNotListenIsNamed() {
    HostPort nobody = new HostPort("127.0.0.1", ReservedPort.untilTheEnd());
    assertThatThrownBy(() -> TcpEnds.connect(nobody, TcpEnds.PIPES, TcpEnds.nextLoop()))
        .hasMessage("cannot connect to " + nobody + ": connection refused");
  }
}
