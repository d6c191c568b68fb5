package io.cascade.client.forward;

import io.cascade.segments.Frame;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.StreamState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A stream that several threads share: the lock that guards it, and what they wait for. What is
 * passed in to be run holds the lock, and must not wait for the network.
 */
final class GuardedStream {
  private static final long MOST_WAIT_NANOS = 100_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition readable = lock.newCondition();
  private final Condition due = lock.newCondition();
  private final Condition pipeWriters = lock.newCondition();
  private final SegmentStream stream;

  /** A change of the stream, or of what its lock guards besides. */
  @FunctionalInterface
  interface Change<E extends Exception> {
    void on(SegmentStream stream) throws E;
  }

  GuardedStream(SegmentStream.Settings settings) {
    stream = new SegmentStream(settings, System.nanoTime());
  }

  /** Makes a change, and wakes the threads for which it may have made something to do. */
  <E extends Exception> void change(Change<E> change) throws E {
    lock.lock();
    try {
      change.on(stream);
    } finally {
      wake();
      lock.unlock();
    }
  }

  /** Makes a change like {@link #change}, and returns its result. */
  boolean changeAndTest(Predicate<SegmentStream> change) {
    lock.lock();
    try {
      return change.test(stream);
    } finally {
      wake();
      lock.unlock();
    }
  }

  /** Looks at the stream, and wakes nobody. */
  <T> T look(Function<SegmentStream, T> question) {
    lock.lock();
    try {
      return question.apply(stream);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the stream has taken all of the bytes.
   *
   * @return false where the stream is over
   */
  boolean offer(ByteBuffer bytes) throws InterruptedException {
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
   * Waits for the next bytes for the own side.
   *
   * @param broken whether the own side takes no more
   * @return null where the peer's side has ended
   */
  @Nullable ByteBuffer nextBytes(BooleanSupplier broken) throws InterruptedException, IOException {
    lock.lock();
    try {
      while (true) {
        if (stream.over() || broken.getAsBoolean()) {
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

  /**
   * Waits for the next frame to write to a pipe. {@link #written} is to follow.
   *
   * @return null where nothing will be written any more
   */
  @Nullable Frame nextFrame(int pipe, PipeChannel connection)
      throws InterruptedException, IOException {
    lock.lock();
    try {
      while (true) {
        Frame frame = stream.next(pipe, System.nanoTime());
        if (frame != null) {
          stream.writing(pipe, true);
          return frame;
        }
        if (stream.finished(pipe)) {
          return null;
        }
        if (!connection.isOpen()) {
          throw new IOException("the pipe is gone");
        }
        pipeWriters.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The frame that {@link #nextFrame} returned has been written. */
  void written(int pipe) {
    lock.lock();
    try {
      stream.writing(pipe, false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Does what is due in time, until the stream is over.
   *
   * @param afterEach run each time
   */
  void keepTime(Consumer<SegmentStream> afterEach) throws InterruptedException {
    lock.lock();
    try {
      while (!stream.over()) {
        long now = System.nanoTime();
        long next = stream.onTime(now);
        afterEach.accept(stream);
        wake();
        if (!stream.over()) {
          due.awaitNanos(Math.max(1, Math.min(MOST_WAIT_NANOS, next - now)));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the condition holds or the deadline has passed. */
  void awaitUntil(long deadlineNanos, Predicate<SegmentStream> condition)
      throws InterruptedException {
    lock.lock();
    try {
      while (!condition.test(stream) && deadlineNanos - System.nanoTime() > 0) {
        due.awaitNanos(Math.min(MOST_WAIT_NANOS, Math.max(1, deadlineNanos - System.nanoTime())));
      }
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
}
