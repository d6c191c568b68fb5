package io.cascade.command.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NamedPeerTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

  /** Of a block for documentation (RFC 5737): nobody answers, and a network may say nothing. */
  private static final InetAddress DEAD = InetAddress.ofLiteral("192.0.2.1");

  @Test
  void aDeadFirstAddressIsPassedOver() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, HERE)) {
      NamedPeer peer = new NamedPeer(List.of(DEAD, HERE), server.getLocalPort());

      assertThat(peer.quickest(LONG)).isEqualTo(new InetSocketAddress(HERE, server.getLocalPort()));
    }
  }

  @Test
  void theFirstOneStandsWhereNoneAnswers() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 50, HERE)) {
      port = closed.getLocalPort();
    }
    InetAddress first = InetAddress.ofLiteral("127.0.0.2");

    assertThat(new NamedPeer(List.of(first, HERE), port).quickest(LONG))
        .isEqualTo(new InetSocketAddress(first, port));
  }

  @Test
  void aSingleAddressIsNotAsked() {
    assertThat(new NamedPeer(List.of(DEAD), 1).quickest(LONG))
        .isEqualTo(new InetSocketAddress(DEAD, 1));
  }
}
