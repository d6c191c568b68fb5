package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A port that answers nobody, as behind a firewall that drops packets: it listens, and as many
 * connections wait to be accepted as may.
 */
final class SilentPort implements AutoCloseable {
  private static final int MORE_THAN_WAIT = 8;

  private final ServerSocket listening;
  private final List<SocketChannel> waiting = new ArrayList<>();

  private SilentPort(ServerSocket listening) {
    this.listening = listening;
  }

  static SilentPort open() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    SilentPort port = new SilentPort(new ServerSocket(0, 1, loopback));
    for (int i = 0; i < MORE_THAN_WAIT; i++) {
      SocketChannel one = SocketChannel.open();
      port.waiting.add(one);
      one.configureBlocking(false);
      boolean _ = one.connect(new InetSocketAddress(loopback, port.listening.getLocalPort()));
    }
    return port;
  }

  HostPort address() {
    return new HostPort("127.0.0.1", listening.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel one : waiting) {
      one.close();
    }
    listening.close();
  }
}
