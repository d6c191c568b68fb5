package io.cascade.studies.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cascade.command.Digests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The destination of every measured connection: one port, whose connections state their purpose by
 * the first {@link Message}. A fixed number of threads accept and serve, one connection each.
 */
final class Destination implements AutoCloseable {
  /**
   * Most bytes that a thread reads at once. With four times as many, the blocks of eight
   * connections exceed the processor's cache, and a connection without a proxy carries half as
   * much: then the ends are measured and not the proxy.
   */
  private static final int BLOCK_BYTES = 64 * 1_024;

  private static final int THREADS = 48;
  private static final int BACKLOG = 4_096;

  private final TcpSocket listening;
  private final int port;
  private final LongAdder counted = new LongAdder();
  private final Queue<TcpSocket> resting = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private Destination(TcpSocket listening) throws IOException {
    this.listening = listening;
    this.port = listening.port();
  }

  static Destination open() throws IOException {
    Destination destination = new Destination(TcpSocket.listen(BACKLOG));
    for (int i = 0; i < THREADS; i++) {
      Thread.ofPlatform().daemon().name("destination-" + i).start(destination::serve);
    }
    return destination;
  }

  int port() {
    return port;
  }

  /** Bytes received on all {@link Message.Purpose#COUNT} connections so far. */
  long countedBytes() {
    return counted.sum();
  }

  /** Number of connections that are kept open without a thread. */
  int restingStreams() {
    return resting.size();
  }

  /** Closes the connections that are kept open without a thread. */
  void dismissResting() {
    for (TcpSocket socket = resting.poll(); socket != null; socket = resting.poll()) {
      socket.reset();
    }
  }

  @Override
  public void close() {
    closed = true;
    listening.interrupt();
    listening.close();
    dismissResting();
  }

  private void serve() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(BLOCK_BYTES);
      while (!closed) {
        accept(block);
      }
    }
  }

  private void accept(MemorySegment block) {
    TcpSocket socket;
    try {
      socket = listening.accept();
    } catch (IOException e) {
      return; // closed, or the connection was reset before accept(2)
    }
    boolean rests = false;
    try {
      rests = serve(socket, block);
    } catch (IOException | IllegalArgumentException e) {
      // The client reports that its answer did not arrive.
      socket.reset();
    } finally {
      if (!rests) {
        socket.close();
      }
    }
  }

  /**
   * @return whether the connection stays open without a thread
   */
  private boolean serve(TcpSocket socket, MemorySegment block) throws IOException {
    MemorySegment message = block.asSlice(0, Message.BYTES);
    socket.readFully(message);
    switch (Message.Purpose.of(message)) {
      case ECHO -> echo(socket, message);
      case ANSWER_AND_CLOSE -> socket.writeFully(message);
      case REST -> {
        resting.add(socket);
        socket.writeFully(message);
        return true;
      }
      case COUNT -> count(socket, block);
      case DIGEST -> digest(socket, block);
    }
    return false;
  }

  private static void echo(TcpSocket socket, MemorySegment message) throws IOException {
    do {
      socket.writeFully(message);
      int got = socket.read(message);
      if (got == 0) {
        return;
      }
      if (got < message.byteSize()) {
        socket.readFully(message.asSlice(got));
      }
    } while (true);
  }

  private void count(TcpSocket socket, MemorySegment block) throws IOException {
    long bytes = 0;
    for (int got = socket.read(block); got > 0; got = socket.read(block)) {
      bytes += got;
      counted.add(got);
    }
    block.set(JAVA_LONG, 0, bytes);
    socket.writeFully(block.asSlice(0, Long.BYTES));
  }

  private static void digest(TcpSocket socket, MemorySegment block) throws IOException {
    MessageDigest digest = Digests.sha256();
    for (int got = socket.read(block); got > 0; got = socket.read(block)) {
      digest.update(block.asSlice(0, got).asByteBuffer());
    }
    socket.writeFully(block.asSlice(0, 32).copyFrom(MemorySegment.ofArray(digest.digest())));
  }
}
