package io.cascade.client.forward;

import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.ProtocolViolation;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.StreamState;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its junctions: a connection of its own side, and the pipes. A lock guards
 * the stream; every connection has a thread that reads and one that writes, none of which holds the
 * lock while it waits for the network.
 */
final class Junction {
  private static final long MOST_WAIT_NANOS = 100_000_000;
  private static final int LOCAL_READ = 1 << 16;
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition readable = lock.newCondition();
  private final Condition due = lock.newCondition();
  private final Condition pipeWriters = lock.newCondition();
  private final CountDownLatch over = new CountDownLatch(1);
  private final SegmentStream stream;
  private final Map<Integer, SocketChannel> pipes = new HashMap<>();
  private final ReentrantLock localWrites = new ReentrantLock();

  private @Nullable SocketChannel local;
  private boolean localBroken;
  private int nextPipe;

  Junction(SegmentStream.Settings settings) {
    stream = new SegmentStream(settings, System.nanoTime());
    Thread.ofVirtual().name("segment-time").start(this::keepTime);
  }

  /** Begins to carry between the own side's connection and the pipes. */
  void attach(SocketChannel connection) throws IOException {
    // Whatever ends this process, or the stream, resets the connection; a clean end says so itself.
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    lock.lock();
    try {
      local = connection;
      if (stream.over()) {
        closeLocal();
        return;
      }
    } finally {
      lock.unlock();
    }
    Thread.ofVirtual().name("local-read").start(() -> readLocal(connection));
    Thread.ofVirtual().name("local-write").start(() -> writeLocal(connection));
  }

  void reset(Reason reason, String detail) {
    locked(() -> stream.reset(reason, detail));
  }

  /** The far junction does not know the stream; where a pipe is still there, that is not so. */
  void unknownThere(String detail) {
    locked(() -> {
      if (!stream.hasPipes()) {
        stream.reset(Reason.UNKNOWN_STREAM, detail);
      }
    });
  }

  int takePipeNumber() {
    lock.lock();
    try {
      return nextPipe++;
    } finally {
      lock.unlock();
    }
  }

  boolean established() {
    lock.lock();
    try {
      return stream.state() != StreamState.OPENING;
    } finally {
      lock.unlock();
    }
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /** Whether the stream was over within the time. */
  boolean awaitOver(Duration time) throws InterruptedException {
    return over.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until every pipe has been told that the stream is over. */
  void awaitToldUntil(long deadlineNanos) throws InterruptedException {
    lock.lock();
    try {
      while (!pipes.keySet().stream().allMatch(stream::finished)
          && deadlineNanos - System.nanoTime() > 0) {
        due.awaitNanos(Math.min(MOST_WAIT_NANOS, Math.max(1, deadlineNanos - System.nanoTime())));
      }
    } finally {
      lock.unlock();
    }
  }

  /** What can be said of the stream. */
  StreamReport report() {
    lock.lock();
    try {
      return StreamReport.of(stream);
    } finally {
      lock.unlock();
    }
  }

  int pipeCount() {
    lock.lock();
    try {
      return pipes.size();
    } finally {
      lock.unlock();
    }
  }

  // Pipes.

  /**
   * Carries the stream over an introduced connection until one of them is over.
   *
   * @return whether it ended cleanly
   */
  boolean carry(Introductions.Introduced pipe) throws IOException {
    int number = pipe.number();
    SocketChannel connection = pipe.connection();
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    lock.lock();
    try {
      if (stream.over()) {
        connection.close();
        return true;
      }
      stream.join(number, 1, pipe.roundTripNanos(), System.nanoTime());
      pipes.put(number, connection);
      wake();
    } finally {
      lock.unlock();
    }
    Thread writer =
        Thread.ofVirtual().name("pipe-write").start(() -> writePipe(number, connection));
    boolean clean = readPipe(number, connection, pipe.arrived());
    try {
      if (clean) {
        writer.join(LAST_WORDS);
        connection.setOption(StandardSocketOptions.SO_LINGER, -1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
      locked(() -> {
        pipes.remove(number);
        stream.lost(number, System.nanoTime());
      });
    }
    return clean;
  }

  /** Reads until the pipe ends; whether it ended as it should. */
  private boolean readPipe(int number, SocketChannel connection, ByteBuffer in) {
    try {
      while (true) {
        if (!takeFrames(number, in)) {
          return false;
        }
        in.compact();
        int read = connection.read(in);
        in.flip();
        if (read < 0) {
          return pipeEnded(number);
        }
      }
    } catch (IOException e) {
      locked(() -> stream.lost(number, System.nanoTime()));
      return false;
    }
  }

  private boolean pipeEnded(int number) {
    lock.lock();
    try {
      return stream.ended(number, System.nanoTime());
    } finally {
      wake();
      lock.unlock();
    }
  }

  /** Takes the frames that are complete; false where the stream has none to do with them. */
  private boolean takeFrames(int number, ByteBuffer in) {
    lock.lock();
    try {
      long now = System.nanoTime();
      for (Frame frame = FrameCodec.parse(in); frame != null; frame = FrameCodec.parse(in)) {
        stream.received(number, frame, now);
      }
      return true;
    } catch (ProtocolViolation e) {
      stream.violated(e);
      return true; // Until the peer has been told why.
    } finally {
      wake();
      lock.unlock();
    }
  }

  private void writePipe(int number, SocketChannel connection) {
    try {
      for (Frame frame = nextFrame(number); frame != null; frame = nextFrame(number)) {
        ByteBuffer head = FrameCodec.head(frame);
        ByteBuffer[] octets =
            frame instanceof Frame.Data data
                ? new ByteBuffer[] {head, data.bytes()}
                : new ByteBuffer[] {head};
        ByteBuffer last = octets[octets.length - 1];
        while (last.hasRemaining()) {
          connection.write(octets);
        }
        lock.lock();
        try {
          stream.writing(number, false);
        } finally {
          lock.unlock();
        }
      }
      connection.shutdownOutput();
    } catch (IOException e) {
      closeQuietly(connection); // The reading thread finds that out and says so.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for what is to be written next; null where nothing will be any more. */
  private @Nullable Frame nextFrame(int number) throws InterruptedException, IOException {
    lock.lock();
    try {
      while (true) {
        Frame frame = stream.next(number, System.nanoTime());
        if (frame != null) {
          stream.writing(number, true);
          return frame;
        }
        if (stream.finished(number)) {
          return null;
        }
        SocketChannel connection = pipes.get(number);
        if (connection == null || !connection.isOpen()) {
          throw new IOException("the pipe is gone");
        }
        pipeWriters.await();
      }
    } finally {
      lock.unlock();
    }
  }

  // The own side.

  private void readLocal(SocketChannel connection) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(LOCAL_READ);
    try {
      while (connection.read(bytes.clear()) >= 0) {
        if (!offer(bytes.flip())) {
          return;
        }
      }
      localEnded();
    } catch (IOException e) {
      localReset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean offer(ByteBuffer bytes) throws InterruptedException {
    lock.lock();
    try {
      while (bytes.hasRemaining()) {
        if (stream.over()) {
          return false;
        }
        if (stream.offer(bytes) == 0) {
          room.await();
        } else {
          pipeWriters.signalAll();
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The end of input is believed only where no write has failed: of two system calls on one
   * connection only the first is told of a reset, and a read then sees an end.
   */
  private void localEnded() {
    localWrites.lock();
    try {
      locked(() -> {
        if (!localBroken && !stream.over()) {
          stream.end(System.nanoTime());
        }
      });
    } finally {
      localWrites.unlock();
    }
  }

  private void localReset() {
    locked(() -> {
      localBroken = true;
      stream.localReset(System.nanoTime());
    });
  }

  private void writeLocal(SocketChannel connection) {
    try {
      for (ByteBuffer bytes = nextBytes(); bytes != null; bytes = nextBytes()) {
        int length = bytes.remaining();
        localWrites.lock();
        try {
          while (bytes.hasRemaining()) {
            connection.write(bytes);
          }
        } catch (IOException e) {
          localReset();
          return;
        } finally {
          localWrites.unlock();
        }
        delivered(length);
      }
      endLocalOutput(connection);
    } catch (IOException e) {
      localReset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void delivered(int length) {
    lock.lock();
    try {
      if (!localBroken && !stream.over()) {
        stream.delivered(length, System.nanoTime());
        wake();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what is to be written next; null where the peer's side has ended. */
  private @Nullable ByteBuffer nextBytes() throws InterruptedException, IOException {
    lock.lock();
    try {
      while (true) {
        if (stream.over() || localBroken) {
          throw new IOException("the stream is over");
        }
        ByteBuffer bytes = stream.readable();
        if (bytes != null) {
          return bytes;
        }
        if (stream.endReached() != null) {
          return null;
        }
        readable.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void endLocalOutput(SocketChannel connection) throws IOException {
    lock.lock();
    try {
      Reason end = stream.endReached();
      if (end == Reason.FINISHED) {
        connection.shutdownOutput();
      } else if (end != null) {
        stream.reset(end, "");
      }
      wake();
    } finally {
      lock.unlock();
    }
  }

  // Time, and the end.

  private void keepTime() {
    try {
      untilOver();
      over.countDown();
      // What has been said last is on its way; what still comes from the peer is of no use.
      Thread.sleep(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      locked(() -> pipes.values().forEach(Junction::closeQuietly));
    }
  }

  private void untilOver() throws InterruptedException {
    lock.lock();
    try {
      while (!stream.over()) {
        long now = System.nanoTime();
        long next = stream.onTime(now);
        for (SegmentStream.Dropped dropped : stream.dropped()) {
          closeQuietly(pipes.get(dropped.pipe()));
        }
        wake();
        if (stream.state() == StreamState.COMPLETE) {
          closeLocal();
        }
        if (!stream.over()) {
          due.awaitNanos(Math.max(1, Math.min(MOST_WAIT_NANOS, next - now)));
        }
      }
      closeLocal();
    } finally {
      lock.unlock();
    }
  }

  /** Cleanly where all was delivered, by a reset otherwise. */
  private void closeLocal() {
    SocketChannel connection = local;
    if (connection == null) {
      return;
    }
    local = null;
    try {
      if (stream.state() != StreamState.RESET) {
        connection.setOption(StandardSocketOptions.SO_LINGER, -1);
      }
      connection.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      wake();
    } finally {
      lock.unlock();
    }
  }

  /** Lets every thread look whether there is something for it to do. */
  private void wake() {
    if (stream.room() > 0 || stream.over()) {
      room.signalAll();
    }
    readable.signalAll();
    pipeWriters.signalAll();
    if (stream.over() || stream.state() == StreamState.COMPLETE) {
      due.signalAll();
    }
  }

  private static void closeQuietly(@Nullable SocketChannel connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        // It is gone.
      }
    }
  }
}
