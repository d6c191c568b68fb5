package io.cascade.client.forward;

import io.cascade.segments.Reason;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The connection of a junction's own side: a thread that reads from it and one that writes. */
final class LocalConnection {
  private static final int LOCAL_READ = 1 << 16;

  /** Idle time in seconds before keep-alive probes, as on a relay's connections. */
  static final int KEEPALIVE_IDLE_SECONDS = 15;

  static final int KEEPALIVE_INTERVAL_SECONDS = 5;

  /** Probes without an answer after which the kernel gives the connection up. */
  static final int KEEPALIVE_PROBES = 3;

  private final GuardedStream stream;
  private final SocketChannel connection;
  private final LossWatch losses;
  private final ReentrantLock writes = new ReentrantLock();

  /** Whether a reset was seen. The stream's lock guards it. */
  private boolean broken;

  LocalConnection(GuardedStream stream, SocketChannel connection, boolean changesControl)
      throws IOException {
    this.stream = stream;
    this.connection = connection;
    this.losses = new LossWatch(connection, changesControl, LossWatch.Path.NONE);
    tune(connection);
  }

  /** Sets the options of a connection that nothing was read from yet. */
  static void tune(SocketChannel connection) throws IOException {
    // Whatever ends this process, or the stream, resets the connection; a clean end says so itself.
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    // Urgent data keeps its place among the other bytes (RFC 6093).
    connection.socket().setOOBInline(true);
    // A peer that vanished without a reset would keep its stream's place for ever.
    connection.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    connection.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
    connection.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_SECONDS);
    connection.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
  }

  void start() {
    Thread.ofVirtual().name("local-read").start(this::read);
    Thread.ofVirtual().name("local-write").start(this::write);
  }

  /** Closes the connection, by a reset unless cleanly. */
  void close(boolean cleanly) {
    try {
      if (cleanly) {
        connection.setOption(StandardSocketOptions.SO_LINGER, -1);
      }
      connection.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  private void read() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(LOCAL_READ);
    try {
      while (connection.read(bytes.clear()) >= 0) {
        if (!stream.offer(bytes.flip())) {
          return;
        }
      }
      ended();
    } catch (IOException e) {
      reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The end of input is believed only where no write has failed: of two system calls on one
   * connection only the first is told of a reset, and a read then sees an end.
   */
  private void ended() {
    writes.lock();
    try {
      stream.change(shared -> {
        if (!broken && !shared.over()) {
          shared.end(System.nanoTime());
        }
      });
    } finally {
      writes.unlock();
    }
  }

  private void reset() {
    stream.change(shared -> {
      broken = true;
      shared.localReset(System.nanoTime());
    });
  }

  private void write() {
    try {
      for (ByteBuffer bytes = next(); bytes != null; bytes = next()) {
        int length = bytes.remaining();
        writes.lock();
        try {
          while (bytes.hasRemaining()) {
            losses.moved(connection.write(bytes));
          }
        } catch (IOException e) {
          reset();
          return;
        } finally {
          writes.unlock();
        }
        delivered(length);
      }
      endOutput();
    } catch (IOException e) {
      reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable ByteBuffer next() throws InterruptedException, IOException {
    return stream.nextBytes(() -> broken);
  }

  private void delivered(int length) {
    stream.change(shared -> {
      if (!broken && !shared.over()) {
        shared.delivered(length, System.nanoTime());
      }
    });
  }

  private void endOutput() throws IOException {
    stream.change(shared -> {
      Reason end = shared.endReached();
      if (end == Reason.FINISHED) {
        connection.shutdownOutput();
      } else if (end != null) {
        shared.reset(end, "");
      }
    });
  }
}
