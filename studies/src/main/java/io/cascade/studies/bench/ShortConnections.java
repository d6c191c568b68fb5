package io.cascade.studies.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * Connections that a few threads make, each thread one after the other. A connection sends 64
 * bytes, receives them back and reads the end of the stream.
 */
final class ShortConnections implements AutoCloseable {
  private static final int AT_A_TIME = 16;

  private final WorkerThreads<Long> clients = new WorkerThreads<>();
  private final LongAdder completed = new LongAdder();
  private volatile boolean enough;

  private ShortConnections() {}

  static ShortConnections start(int port) {
    ShortConnections load = new ShortConnections();
    Callable<Long> client = () -> load.connect(port);
    load.clients.start("short", Collections.nCopies(AT_A_TIME, client));
    return load;
  }

  /** Number of connections that were opened, used and closed so far. */
  long completed() {
    return completed.sum();
  }

  /**
   * @throws IOException if a connection broke, or its answer differs from the message
   */
  long finish() throws IOException, InterruptedException {
    enough = true;
    return clients.join().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    enough = true;
  }

  private long connect(int port) throws IOException {
    long made = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment question = arena.allocate(Message.BYTES, 8);
      MemorySegment answer = arena.allocate(Message.BYTES, 8);
      while (!enough) {
        Message.write(question, Message.Purpose.ANSWER_AND_CLOSE, made);
        try (TcpSocket socket = TcpSocket.connect(port)) {
          socket.writeFully(question);
          socket.readFully(answer);
          if (question.mismatch(answer) >= 0) {
            throw new IOException("the answer of connection " + made + " was not what was sent");
          }
          if (socket.read(answer) != 0) {
            throw new IOException("bytes came that nobody had sent");
          }
        }
        completed.increment();
        made++;
      }
    }
    return made;
  }
}
