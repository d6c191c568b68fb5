package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.CongestionControls;
import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sends a file over plain TCP connections, each of which carries an equal part of it. The receiver
 * counts and discards the bytes and answers with the count. Nothing is verified and no process is
 * started, so no program with such connections is faster.
 */
final class TcpCopy implements Mover {
  private static final int READ_BYTES = 256 << 10;

  private final Site client;
  private final Site server;
  private final Path file;
  private final String control;
  private final int connections;

  /**
   * @param control congestion control of the sender
   */
  TcpCopy(Site client, Site server, Path file, String control, int connections) {
    this.client = client;
    this.server = server;
    this.file = file;
    this.control = control;
    this.connections = connections;
  }

  @Override
  public Moved move(Duration limit) throws Exception {
    List<SocketChannel> senders = new ArrayList<>();
    try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ);
        ServerSocketChannel listener = listen()) {
      InetSocketAddress to =
          new InetSocketAddress(
              server.address(), ((InetSocketAddress) listener.getLocalAddress()).getPort());
      Thread.ofPlatform().daemon().name("tcp-copy").start(() -> accept(listener));
      openAll(senders);
      CountDownLatch left = new CountDownLatch(connections);
      Queue<IOException> failures = new ConcurrentLinkedQueue<>();
      long start = System.nanoTime();
      for (int i = 0; i < connections; i++) {
        long from = content.size() * i / connections;
        long until = content.size() * (i + 1) / connections;
        SocketChannel sender = senders.get(i);
        Thread.ofPlatform()
            .daemon()
            .name("tcp-copy")
            .start(() -> {
              try {
                send(content, from, until, sender, to);
              } catch (IOException e) {
                failures.add(e);
              } finally {
                left.countDown();
              }
            });
      }
      boolean isOver = left.await(limit.toNanos(), TimeUnit.NANOSECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;
      if (!isOver) {
        throw new CutOff();
      }
      IOException error = failures.peek();
      if (error != null) {
        throw new CommandException(String.valueOf(error.getMessage()), error);
      }
      return new Moved(seconds, "");
    } finally {
      for (SocketChannel sender : senders) {
        reset(sender);
      }
    }
  }

  private ServerSocketChannel listen() throws Exception {
    return server.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress("0.0.0.0", 0)));
  }

  /**
   * Opens the sockets in the network of the site. A socket takes the congestion control of its
   * network when it is created.
   */
  private void openAll(List<SocketChannel> senders) throws Exception {
    CongestionControls.<Exception>allow(() ->
        client.call(() -> {
          CongestionControls.choose(control);
          for (int i = 0; i < connections; i++) {
            senders.add(SocketChannel.open());
          }
          CongestionControls.choose(RivalPath.CONTROL);
          return true;
        }));
  }

  private static void send(
      FileChannel content, long from, long until, SocketChannel sender, InetSocketAddress to)
      throws IOException {
    sender.connect(to);
    long at = from;
    while (at < until) {
      at += content.transferTo(at, until - at, sender);
    }
    sender.shutdownOutput();
    ByteBuffer count = ByteBuffer.allocate(Long.BYTES);
    while (count.hasRemaining()) {
      if (sender.read(count) < 0) {
        throw new IOException("the receiver gave no count");
      }
    }
    if (count.flip().getLong() != until - from) {
      throw new IOException("not all has arrived");
    }
  }

  private static void accept(ServerSocketChannel listener) {
    try {
      while (true) {
        SocketChannel connection = listener.accept();
        Thread.ofPlatform().daemon().name("tcp-copy").start(() -> receive(connection));
      }
    } catch (IOException closed) {
      // The copy is over.
    }
  }

  private static void receive(SocketChannel connection) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try (connection) {
      long bytes = 0;
      for (int read = 0; read >= 0; read = connection.read(buffer.clear())) {
        bytes += read;
      }
      buffer.clear().putLong(bytes).flip();
      while (buffer.hasRemaining()) {
        connection.write(buffer);
      }
    } catch (IOException reset) {
      // The sender reads no count.
    }
  }

  /** Closes with a reset, so that no data of it are on the links when the next copy starts. */
  private static void reset(SocketChannel sender) throws IOException {
    if (sender.isConnected()) {
      sender.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    sender.close();
  }
}
