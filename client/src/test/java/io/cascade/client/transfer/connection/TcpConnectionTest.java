package io.cascade.client.transfer.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class TcpConnectionTest {
  /** Nagle's algorithm (RFC 896) holds the second of two answers back for a round trip. */
  @Test
  void anAcceptedConnectionDelaysNoSmallWrite() throws Exception {
    try (ServerSocketChannel server =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel _ = SocketChannel.open(server.getLocalAddress());
        SocketChannel accepted = server.accept();
        TcpConnection _ = TcpConnection.accepted(accepted)) {
      assertThat(accepted.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
      assertThat(accepted.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
    }
  }
}
