package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StrangersTest {
  private final Strangers strangers = new Strangers(3);
  private final ServerSocketChannel server;
  private final List<SocketChannel> open = new ArrayList<>();

  StrangersTest() throws IOException {
    server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
    server.close();
  }

  @Test
  void oneThatEndsLeavesItsPlace() throws IOException {
    SocketChannel first = accept("127.0.0.1");
    assertThat(strangers.admit(first)).isTrue();
    assertThat(strangers.admit(accept("127.0.0.2"))).isTrue();
    assertThat(strangers.admit(accept("127.0.0.3"))).isTrue();
    assertThat(strangers.admit(accept("127.0.0.4"))).isFalse();

    first.close();

    assertThat(strangers.admit(accept("127.0.0.4"))).isTrue();
  }

  @Test
  void oneThatSignsInIsNoStranger() throws IOException {
    SocketChannel first = accept("127.0.0.1");
    assertThat(strangers.admit(first)).isTrue();
    assertThat(strangers.admit(accept("127.0.0.1"))).isTrue();
    assertThat(strangers.admit(accept("127.0.0.1"))).isTrue();

    strangers.signedIn("127.0.0.1", ((InetSocketAddress) first.getRemoteAddress()).getPort());

    assertThat(strangers.admit(accept("127.0.0.1"))).isTrue();
    assertThat(strangers.admit(accept("127.0.0.1"))).isFalse();
  }

  private SocketChannel accept(String from) throws IOException {
    SocketChannel client = SocketChannel.open().bind(new InetSocketAddress(from, 0));
    client.connect(server.getLocalAddress());
    SocketChannel accepted = server.accept();
    open.add(client);
    open.add(accepted);
    return accepted;
  }
}
