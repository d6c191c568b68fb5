package io.cascade.client.forward;

import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.StreamState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its junctions: a connection of its own side, and the pipes. A lock guards
 * the stream; every connection has a thread that reads and one that writes, none of which holds the
 * lock while it waits for the network.
 */
final class Junction {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger nextPipe = new AtomicInteger();
  private final GuardedStream stream;
  private final boolean changesControl;

  /** Connections by pipe number. The stream's lock guards them, and {@link #local}. */
  private final Map<Integer, PipeConnection> pipes = new HashMap<>();

  private @Nullable LocalConnection local;

  /**
   * @param changesControl whether the own side's connection may take another congestion control
   *     than the host's default where it loses packets
   */
  Junction(SegmentStream.Settings settings, boolean changesControl) {
    this.changesControl = changesControl;
    stream = new GuardedStream(settings);
    Thread.ofVirtual().name("segment-time").start(this::keepTime);
  }

  /** Begins to carry between the own side's connection and the pipes. */
  void attach(SocketChannel connection) throws IOException {
    LocalConnection attached = new LocalConnection(stream, connection, changesControl);
    boolean over =
        stream.look(shared -> {
          local = attached;
          if (shared.over()) {
            closeLocal(shared);
          }
          return shared.over();
        });
    if (!over) {
      attached.start();
    }
  }

  void reset(Reason reason, String detail) {
    stream.change(shared -> shared.reset(reason, detail));
  }

  /** The far junction does not know the stream; where a pipe is still there, that is not so. */
  void unknownThere(String detail) {
    stream.change(shared -> {
      if (!shared.hasPipes()) {
        shared.reset(Reason.UNKNOWN_STREAM, detail);
      }
    });
  }

  /** The far junction has refused every pipe; where it took one before, that is waited out. */
  void refusedEverywhere(PipeHandshake.Refused last) {
    stream.change(shared -> {
      if (shared.state() == StreamState.OPENING) {
        shared.reset(last.reason(), last.detail());
      }
    });
  }

  int takePipeNumber() {
    return nextPipe.getAndIncrement();
  }

  boolean established() {
    return stream.look(shared -> shared.state() != StreamState.OPENING);
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
    stream.awaitUntil(deadlineNanos, shared -> pipes.keySet().stream().allMatch(shared::finished));
  }

  /** Report of the stream so far. */
  StreamReport report() {
    return stream.look(StreamReport::of);
  }

  int pipeCount() {
    return stream.look(_ -> pipes.size());
  }

  /**
   * Carries the stream over an introduced connection from now on.
   *
   * @return null where the stream is over; the connection is closed then
   */
  @Nullable PipeConnection join(PipeHandshake.Introduced introduced) {
    int number = introduced.number();
    PipeConnection pipe = new PipeConnection(stream, number, introduced.connection());
    boolean joined =
        stream.changeAndTest(shared -> {
          if (shared.over()) {
            return false;
          }
          shared.join(number, introduced.roundTripNanos(), System.nanoTime());
          pipes.put(number, pipe);
          return true;
        });
    if (!joined) {
      pipe.reset();
      return null;
    }
    return pipe;
  }

  /** Does without a pipe from now on, which ends once everything on it has arrived. */
  void withdraw(PipeConnection pipe) {
    boolean _ = stream.changeAndTest(shared -> shared.withdraw(pipe.number(), System.nanoTime()));
  }

  /**
   * Reads and writes a pipe that has joined, until it or the stream is over.
   *
   * @param arrived what has been read of it already
   * @return whether it ended cleanly
   */
  boolean carry(PipeConnection pipe, ByteBuffer arrived) throws IOException {
    int number = pipe.number();
    Thread writer = Thread.ofVirtual().name("pipe-write").start(pipe::write);
    boolean clean = pipe.read(arrived);
    try {
      if (clean) {
        writer.join(LAST_WORDS);
        pipe.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      pipe.reset(); // Unless it was closed in order.
      stream.change(shared -> {
        pipes.remove(number);
        shared.lost(number, System.nanoTime());
      });
    }
    return clean;
  }

  private void keepTime() {
    try {
      stream.keepTime(this::closeWhatIsDone);
      stream.change(this::closeLocal);
      over.countDown();
      // What has been said last is on its way; what still comes from the peer is of no use.
      Thread.sleep(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stream.change(shared -> {
        pipes.values().forEach(PipeConnection::reset);
        if (shared.over()) {
          shared.release();
        }
      });
    }
  }

  private void closeWhatIsDone(SegmentStream shared) {
    for (SegmentStream.Dropped dropped : shared.dropped()) {
      PipeConnection pipe = pipes.get(dropped.pipe());
      if (pipe != null) {
        pipe.reset();
      }
    }
    if (shared.state() == StreamState.COMPLETE) {
      closeLocal(shared);
    }
  }

  /** Cleanly where all was delivered, by a reset otherwise. */
  private void closeLocal(SegmentStream shared) {
    LocalConnection closing = local;
    if (closing != null) {
      local = null;
      closing.close(shared.state() != StreamState.RESET);
    }
  }
}
