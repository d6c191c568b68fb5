package io.cascade.client.transfer.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.command.names.NamedPeer;
import io.cascade.testing.ReservedPort;
import io.cascade.testing.SilentAddress;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to names whose first address does not answer; with a time-out of a day. */
@Timeout(60)
class DeadAddressTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);
  private static final InetAddress DEAD = InetAddress.ofLiteral("127.0.0.2");
  private static final InetAddress ALIVE = InetAddress.ofLiteral("127.0.0.1");

  @Test
  void connectsPastAnAddressThatDoesNotAnswer() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, ALIVE);
        SilentAddress _ = new SilentAddress("127.0.0.2", server.getLocalPort());
        SocketChannel connection =
            new NamedPeer(List.of(DEAD, ALIVE), server.getLocalPort()).connect(FOR_EVER)) {
      assertThat(connection.getRemoteAddress()).isEqualTo(server.getLocalSocketAddress());
    }
  }

  @Test
  void namesTheFailureWhereNoAddressAnswers() {
    int port = ReservedPort.untilTheEnd();
    assertThatThrownBy(() -> new NamedPeer(List.of(ALIVE), port).connect(FOR_EVER))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("refused");
    assertThatThrownBy(() -> Connections.connect(new HostPort("127.0.0.1", port), FOR_EVER))
        .hasMessage("cannot connect to 127.0.0.1:" + port + ": connection refused");
  }
}
