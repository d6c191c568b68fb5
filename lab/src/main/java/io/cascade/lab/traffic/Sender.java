package io.cascade.lab.traffic;

import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The sender at the source: some connections that are kept as full as TCP allows. */
public final class Sender implements AutoCloseable {
  private static final int WRITE_BYTES = 64 << 10;

  private final List<SocketChannel> connections = new ArrayList<>();
  private final List<Thread> writers = new ArrayList<>();
  private long startNanos;
  private long connectedNanos;

  /** Connects all at the same moment and waits until all are connected. */
  public static Sender connect(Site site, InetSocketAddress to, int connections)
      throws InterruptedException, IOException {
    Sender sender = new Sender();
    List<Exception> failures = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(connections);
    sender.startNanos = System.nanoTime();
    for (int i = 0; i < connections; i++) {
      Thread.ofPlatform()
          .daemon()
          .name("connect")
          .start(() -> {
            try {
              SocketChannel channel = site.call(() -> SocketChannel.open(to));
              channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
              synchronized (failures) {
                sender.connections.add(channel);
              }
            } catch (Exception e) {
              synchronized (failures) {
                failures.add(e);
              }
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
    sender.connectedNanos = System.nanoTime();
    synchronized (failures) {
      if (!failures.isEmpty()) {
        sender.close();
        throw new IOException("the sender could not connect to " + to, failures.getFirst());
      }
    }
    return sender;
  }

  /** Time at which the first packet left. */
  public long startNanos() {
    return startNanos;
  }

  /** Time at which all connections were established, so that the first byte could leave. */
  public long connectedNanos() {
    return connectedNanos;
  }

  /**
   * Begins to send in the background.
   *
   * @param bytes of all connections together; they end cleanly after them
   */
  public void send(long bytes) {
    for (int i = 0; i < connections.size(); i++) {
      SocketChannel channel = connections.get(i);
      long share = bytes / connections.size() + (i < bytes % connections.size() ? 1 : 0);
      writers.add(Thread.ofPlatform().daemon().name("sender").start(() -> write(channel, share)));
    }
  }

  private static void write(SocketChannel channel, long bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BYTES);
    try {
      long left = bytes;
      while (left > 0) {
        buffer.clear().limit((int) Math.min(WRITE_BYTES, left));
        left -= channel.write(buffer);
      }
      channel.shutdownOutput();
    } catch (IOException over) {
      // Closed by the owner; a failure shows as a transfer without an end.
    }
  }

  /** Resets the connections, so that nothing continues in the background. */
  @Override
  public void close() throws IOException, InterruptedException {
    for (SocketChannel channel : connections) {
      if (channel.isOpen()) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
      }
    }
    for (Thread writer : writers) {
      writer.join();
    }
  }
}
