package io.cascade.studies.beside;

import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A stream of small messages that a server returns: one of 100 bytes every 20 ms. At 40 kbit/s it
 * does not count as bulk.
 */
final class EchoPings implements AutoCloseable {
  private static final int MESSAGE_BYTES = 100;
  private static final long SPACING_NANOS = 20_000_000;

  private final ServerSocketChannel server;
  private final SocketChannel client;
  private final List<Ping> pings = new ArrayList<>();
  private volatile boolean isOver;

  /** A message that was returned. */
  private record Ping(long sentNanos, long nanos) {}

  private EchoPings(ServerSocketChannel server, SocketChannel client) {
    this.server = server;
    this.client = client;
  }

  /** Opens the server that returns messages. */
  static ServerSocketChannel server(Site at) throws Exception {
    ServerSocketChannel server =
        at.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress("0.0.0.0", 0)));
    Thread.ofPlatform().daemon().name("echo-accept").start(() -> accept(server));
    return server;
  }

  /** Starts to send messages from a site to the port of a chain. */
  static EchoPings begin(ServerSocketChannel server, Site from, InetSocketAddress ingress)
      throws Exception {
    SocketChannel client = from.call(() -> SocketChannel.open(ingress));
    client.socket().setTcpNoDelay(true);
    EchoPings pings = new EchoPings(server, client);
    Thread.ofPlatform().daemon().name("echo-ping").start(pings::send);
    return pings;
  }

  private static void accept(ServerSocketChannel server) {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        connection.socket().setTcpNoDelay(true);
        Thread.ofPlatform().daemon().name("echo").start(() -> echo(connection));
      }
    } catch (IOException e) {
      // The server is closed.
    }
  }

  private static void echo(SocketChannel connection) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(4_096);
    try (connection) {
      while (connection.read(buffer.clear()) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          connection.write(buffer);
        }
      }
    } catch (IOException e) {
      // The stream has ended.
    }
  }

  private void send() {
    ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    long due = System.nanoTime();
    try {
      while (!isOver) {
        long sent = System.nanoTime();
        message.clear();
        while (message.hasRemaining()) {
          client.write(message);
        }
        message.clear();
        while (message.hasRemaining()) {
          if (client.read(message) < 0) {
            return;
          }
        }
        synchronized (pings) {
          pings.add(new Ping(sent, System.nanoTime() - sent));
        }
        due += SPACING_NANOS;
        long wait = due - System.nanoTime();
        if (wait > 0) {
          LockSupport.parkNanos(wait);
        } else {
          due = System.nanoTime();
        }
      }
    } catch (IOException e) {
      isOver = true;
    }
  }

  /** Whether messages are still returned. */
  boolean runs() {
    return !isOver;
  }

  /**
   * Round trips in milliseconds of messages that were sent between two times, in ascending order.
   */
  double[] millis(long fromNanos, long toNanos) {
    synchronized (pings) {
      return pings.stream()
          .filter(ping -> ping.sentNanos() >= fromNanos && ping.sentNanos() <= toNanos)
          .mapToDouble(ping -> ping.nanos() / 1e6)
          .sorted()
          .toArray();
    }
  }

  @Override
  public void close() throws IOException {
    isOver = true;
    client.close();
    server.close();
  }
}
