package io.cascade.lab;

import io.cascade.api.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * A port on this machine's loopback whose connections are forwarded into a lab. A reset at one end
 * is passed on as a reset at the other.
 */
final class PortForwarder implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 64;
  private static final int BUFFER_BYTES = 16 << 10;

  private final ServerSocketChannel server;
  private final Callable<SocketChannel> onward;
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);

  private PortForwarder(ServerSocketChannel server, Callable<SocketChannel> onward) {
    this.server = server;
    this.onward = onward;
  }

  /**
   * Listens on a port that the kernel chooses.
   *
   * @param onward dials the connection to which an accepted one is forwarded
   */
  static PortForwarder open(Callable<SocketChannel> onward) throws IOException {
    ServerSocketChannel server =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    PortForwarder forwarder = new PortForwarder(server, onward);
    Thread.ofPlatform().daemon().name("port-forwarder").start(forwarder::accept);
    return forwarder;
  }

  /** Address at which it listens. */
  HostPort address() throws IOException {
    InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
    return new HostPort(bound.getAddress().getHostAddress(), bound.getPort());
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        if (places.tryAcquire()) {
          Thread.ofVirtual().start(() -> carry(client));
        } else {
          reset(client);
        }
      } catch (IOException e) {
        // Closed, or the client has disconnected already.
      }
    }
  }

  private void carry(SocketChannel client) {
    try (client) {
      SocketChannel far;
      try {
        far = onward.call();
      } catch (Exception e) {
        reset(client);
        return;
      }
      try (far) {
        Thread back = Thread.ofVirtual().start(() -> copy(far, client));
        copy(client, far);
        back.join();
      }
    } catch (IOException e) {
      // Closing failed: nothing is left to close.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }

  private static void copy(SocketChannel from, SocketChannel to) {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    try {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
      to.shutdownOutput();
    } catch (IOException e) {
      reset(from);
      reset(to);
    }
  }

  private static void reset(SocketChannel channel) {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.close();
    } catch (IOException e) {
      // Closed before.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
