package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/** The options of a junction's own side. */
class LocalConnectionTest {
  @Test
  void theKernelGivesUpAPeerThatVanished() throws Exception {
    GuardedStream stream =
        new GuardedStream(new SegmentStream.Settings(1 << 20, 1, Scheduler.EARLIEST));
    try (ServerSocketChannel server =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel dialled = SocketChannel.open(server.getLocalAddress());
        SocketChannel accepted = server.accept()) {
      for (SocketChannel connection : new SocketChannel[] {dialled, accepted}) {
        LocalConnection _ = new LocalConnection(stream, connection, true);
        assertThat(connection.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        assertThat(connection.getOption(ExtendedSocketOptions.TCP_KEEPIDLE))
            .isEqualTo(LocalConnection.KEEPALIVE_IDLE_SECONDS);
        assertThat(connection.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL))
            .isEqualTo(LocalConnection.KEEPALIVE_INTERVAL_SECONDS);
        assertThat(connection.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT))
            .isEqualTo(LocalConnection.KEEPALIVE_PROBES);
      }
    }
  }
}
