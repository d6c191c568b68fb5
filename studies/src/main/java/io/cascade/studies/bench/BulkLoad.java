package io.cascade.studies.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Streams that send as fast as the receiver accepts, from {@link #start} until {@link #finish},
 * which compares the bytes sent with the bytes that the {@link Destination} counted.
 */
final class BulkLoad implements AutoCloseable {
  /** One block for all streams, so that it stays in the processor's cache. */
  private static final MemorySegment BLOCK = Arena.global().allocate(256 * 1_024);

  private final WorkerThreads<Long> senders = new WorkerThreads<>();
  private volatile boolean enough;

  private BulkLoad() {}

  static BulkLoad start(int port, int streams) {
    BulkLoad load = new BulkLoad();
    List<Callable<Long>> sending = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      sending.add(() -> load.send(port));
    }
    load.senders.start("bulk", sending);
    return load;
  }

  /**
   * Ends all streams.
   *
   * @return bytes that were sent, all of which arrived
   * @throws IOException if a stream broke or bytes are missing
   */
  long finish() throws IOException, InterruptedException {
    enough = true;
    return senders.join().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    enough = true;
  }

  private long send(int port) throws IOException {
    try (Arena arena = Arena.ofConfined();
        TcpSocket socket = TcpSocket.connect(port)) {
      MemorySegment message = arena.allocate(Message.BYTES, 8);
      Message.write(message, Message.Purpose.COUNT, 0);
      socket.writeFully(message);
      long sent = 0;
      while (!enough) {
        socket.writeFully(BLOCK);
        sent += BLOCK.byteSize();
      }
      socket.shutdownOutput();
      MemorySegment count = message.asSlice(0, Long.BYTES);
      socket.readFully(count);
      long arrived = count.get(JAVA_LONG, 0);
      if (arrived != sent) {
        throw new IOException("sent " + sent + " bytes, of which " + arrived + " arrived");
      }
      return sent;
    }
  }
}
