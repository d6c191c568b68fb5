package io.cascade.carriage.transport;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A listening socket by the JDK; its pipeline receives {@link NioConnection}s. */
final class NioListener extends NioServerSocketChannel {
  @Override
  protected int doReadMessages(List<Object> accepted) throws IOException {
    SocketChannel socket = javaChannel().accept();
    if (socket == null) {
      return 0;
    }
    try {
      accepted.add(new NioConnection(this, socket));
      return 1;
    } catch (RuntimeException | OutOfMemoryError e) {
      socket.close();
      throw e;
    }
  }
}
