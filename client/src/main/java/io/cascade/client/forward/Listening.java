package io.cascade.client.forward;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A listening port that hands each connection to a virtual thread of its own. */
final class Listening implements AutoCloseable {
  private final ServerSocketChannel server;
  private final Consumer<SocketChannel> taker;

  private Listening(ServerSocketChannel server, Consumer<SocketChannel> taker) {
    this.server = server;
    this.taker = taker;
  }

  static Listening open(InetSocketAddress address, Consumer<SocketChannel> taker)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(address);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    Listening listening = new Listening(server, taker);
    Thread.ofVirtual().name("listening").start(listening::accept);
    return listening;
  }

  /** Resets a connection, whose peer is told nothing else. */
  static void reset(SocketChannel connection) {
    try {
      connection.setOption(StandardSocketOptions.SO_LINGER, 0);
      connection.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel connection = server.accept();
        Thread.ofVirtual().name("accepted").start(() -> taker.accept(connection));
      } catch (IOException e) {
        if (server.isOpen()) {
          LockSupport.parkNanos(10_000_000); // Out of descriptors: some will be given back.
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
