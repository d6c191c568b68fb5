package io.cascade.carriage.junction;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.OnLoop;
import io.cascade.segments.Frame;
import io.cascade.segments.ProtocolViolation;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.StreamState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one end of a segment: the {@link SegmentStream}, the pipes that carry it, and the
 * connection by which its user reads and writes it.
 *
 * <p>One event loop owns all of it. Pipes run on loops of their own and pass messages. Every event
 * ends in {@link #carryOn}, which passes on whatever is due to the pipes and the connection.
 */
public final class Junction {
  private static final Logger LOG = Logger.getLogger(Junction.class.getName());

  /** Most concurrent pipes of a stream. */
  public static final int MOST_PIPES = 16;

  /** Most pipes that a stream may have over its lifetime. */
  private static final int MOST_NUMBERS = 1 << 20;

  /** Least time between two reports of measurements of pipes. */
  private static final long MEASURED_EVERY_NANOS = 100_000_000L;

  /** Time for the last frames of an ended stream. */
  private static final long LAST_WORDS_NANOS = 5_000_000_000L;

  private final EventLoop loop;
  private final SegmentStream stream;
  private final JunctionMemory memory;
  private final LongSupplier nanoTime;
  private final Observer observer;
  private final JunctionConnection connection;
  private final JunctionTimer timer;
  private final Map<Integer, PipeEnd> pipes = new LinkedHashMap<>();
  private final BitSet numbers = new BitSet();

  /** A copy of {@link #pipes} to iterate over while they change; null once they have changed. */
  private @Nullable List<PipeEnd> inTurn;

  private long measuredNanos;
  private boolean carrying;
  private boolean again;
  private boolean localClosed;
  private boolean overNoticed;
  private boolean gone;
  private int failures;

  /** Bytes of batches that the kernel has not accepted. */
  private long unwrittenBytes;

  /** Receives the events of the pipes and of the stream. Called on the junction's event loop. */
  public interface Observer {
    /** The far junction has accepted the pipe. */
    default void accepted(PipeEnd pipe) {}

    /** The far junction refuses the pipe, which is closed. */
    default void refused(PipeEnd pipe, Reason reason, String detail) {}

    /** The pipe was withdrawn and has ended; everything on it has arrived. */
    default void left(PipeEnd pipe) {}

    /** The pipe has ended, while the stream continues. */
    default void lost(PipeEnd pipe, String why) {}

    /**
     * The stream has ended. Its pipes carry the last frames for some seconds.
     *
     * @param stream to be read, and not to be kept
     */
    default void ended(SegmentStream stream) {}

    /** The stream has ended, and all its pipes are closed. */
    void over();
  }

  /**
   * Makes a junction without pipes, whose connection is not on its event loop yet.
   *
   * @param memory the memory that it may use, on its event loop
   * @param nanoTime the monotonic clock
   * @param local the address of its connection's near end, as records show it
   * @param remote of its far end
   */
  public Junction(
      EventLoop loop,
      SegmentStream.Settings settings,
      JunctionMemory memory,
      LongSupplier nanoTime,
      InetSocketAddress local,
      InetSocketAddress remote,
      Observer observer) {
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.measuredNanos = nanoTime.getAsLong();
    this.timer = new JunctionTimer(loop, nanoTime, this::carryOn);
    this.memory = memory;
    this.observer = observer;
    this.stream = new SegmentStream(settings, PooledChunks.INSTANCE, nanoTime.getAsLong());
    this.connection = new JunctionConnection(this, local, remote);
  }

  /**
   * Opens the stream's whole window ({@link SegmentStream#openWindow}); called before the first
   * pipe joins.
   */
  public void openWindow() {
    stream.openWindow();
  }

  public JunctionConnection connection() {
    return connection;
  }

  public EventLoop loop() {
    return loop;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** Bytes of the stream that it holds. May be called from any thread. */
  long heldBytes() {
    return memory.bytes();
  }

  /** Runs a task on its event loop, at once if the caller is on it. */
  public void execute(Runnable task) {
    OnLoop.run(loop, task);
  }

  public boolean isOver() {
    return overNoticed;
  }

  public boolean hasPipes() {
    return !pipes.isEmpty();
  }

  // Pipes.

  /**
   * Returns why a pipe cannot join; null if it can.
   *
   * @param number of the pipe in the stream
   */
  public @Nullable Reason obstacle(int number) {
    if (overNoticed) {
      return Reason.UNKNOWN_STREAM;
    }
    if (pipes.size() >= MOST_PIPES || number < 0 || number >= MOST_NUMBERS) {
      return Reason.CAPACITY;
    }
    return numbers.get(number) ? Reason.UNEXPECTED_FRAME : null;
  }

  /** Adds a pipe to the stream. */
  public void join(PipeEnd pipe) {
    join(pipe, 0);
  }

  /**
   * Adds a pipe that the other junction has already accepted.
   *
   * @param roundTripNanos time that its introduction took
   */
  public void joinIntroduced(PipeEnd pipe, long roundTripNanos) {
    boolean _ = pipe.noteAccepted();
    join(pipe, roundTripNanos);
  }

  private void join(PipeEnd pipe, long roundTripNanos) {
    Reason obstacle = obstacle(pipe.number());
    if (obstacle != null) {
      throw new IllegalStateException("pipe " + pipe.number() + ": " + obstacle);
    }
    numbers.set(pipe.number());
    pipes.put(pipe.number(), pipe);
    inTurn = null;
    pipe.noteJoined();
    stream.join(pipe.number(), roundTripNanos, now());
    carryOn();
  }

  /** Frames arrived over a pipe. */
  void arrived(PipeEnd pipe, List<ByteBuf> batch) {
    try {
      for (ByteBuf bytes : batch) {
        if (has(pipe)) {
          pipe.noteReceived(bytes.readableBytes());
          read(pipe, bytes.nioBuffer());
        }
      }
    } finally {
      batch.forEach(ByteBuf::release);
    }
    if (has(pipe)) {
      pipe.readOn();
    }
    carryOn();
  }

  private void read(PipeEnd pipe, ByteBuffer bytes) {
    try {
      pipe.frames().read(bytes, frame -> take(pipe, frame));
    } catch (ProtocolViolation e) {
      stream.violated(e);
    }
  }

  private void take(PipeEnd pipe, Frame frame) {
    if (frame instanceof Frame.Refusal(Reason reason, String detail) && pipe.noteAccepted()) {
      remove(pipe, "refused: " + reason.words());
      pipe.close(false);
      observer.refused(pipe, reason, detail);
      return;
    }
    if (pipe.noteAccepted()) {
      observer.accepted(pipe);
    }
    stream.received(pipe.number(), frame, now());
  }

  /** The peer has ended its output on a pipe. */
  void ended(PipeEnd pipe) {
    if (!has(pipe)) {
      return;
    }
    pipe.noteInputEnded();
    if (!stream.ended(pipe.number(), now())) {
      String why = "ended before the stream";
      pipes.remove(pipe.number());
      inTurn = null;
      pipe.noteLost(why);
      pipe.close(false);
      observer.lost(pipe, why);
    }
    carryOn();
  }

  /** A pipe's connection failed. */
  void broken(PipeEnd pipe, Throwable cause) {
    String why = ConnectionError.words(cause);
    if (remove(pipe, why)) {
      pipe.close(false);
      if (!overNoticed) {
        observer.lost(pipe, why);
      }
      carryOn();
    }
  }

  /** A pipe that the next relay had not accepted yet has ended. */
  public void withdrawn(PipeEnd pipe) {
    if (remove(pipe, "the next relay did not accept it")) {
      carryOn();
    }
  }

  /**
   * Stops using a pipe, which ends once everything on it has arrived.
   *
   * @param why reason, for people
   * @return false if it is the last one that carries the stream; then it stays
   */
  public boolean withdraw(PipeEnd pipe, String why) {
    if (!has(pipe) || !stream.withdraw(pipe.number(), now())) {
      return false;
    }
    pipe.noteWithdrawn(why);
    carryOn();
    return true;
  }

  /**
   * The kernel has accepted a batch, or the write failed.
   *
   * @param memory that it occupied, in bytes
   */
  void written(PipeEnd pipe, int memory, @Nullable Throwable failure) {
    unwrittenBytes -= memory;
    if (failure != null) {
      broken(pipe, failure);
    } else if (has(pipe)) {
      stream.writing(pipe.number(), false);
    }
    carryOn();
  }

  private boolean has(PipeEnd pipe) {
    return pipes.get(pipe.number()) == pipe;
  }

  private boolean remove(PipeEnd pipe, String why) {
    boolean there = pipes.remove(pipe.number(), pipe);
    if (there) {
      inTurn = null;
      if (overNoticed) {
        pipe.noteLeft();
      } else {
        pipe.noteLost(why);
      }
      stream.lost(pipe.number(), now());
    }
    return there;
  }

  // The stream's own side.

  /** Accepts as much as there is room for; returns how much. */
  int offer(ByteBuf bytes) {
    long room = Math.min(stream.room(), memory.allowance());
    int length = (int) Math.min(room, bytes.readableBytes());
    if (length <= 0) {
      return 0;
    }
    int taken = stream.offer(bytes.nioBuffer(bytes.readerIndex(), length));
    account();
    return taken;
  }

  private void account() {
    memory.set(stream.heldBytes() + unwrittenBytes);
  }

  void localEnded() {
    stream.end(now());
    carryOn();
  }

  /** The connection was closed: cleanly if the stream is complete, else by a reset. */
  void localClosed() {
    localClosed = true;
    if (!stream.endAcknowledged() || stream.endReached() == null) {
      stream.localReset(now());
    }
    carryOn();
  }

  /** Resets the stream at both ends. */
  public void reset(Reason reason, String detail) {
    stream.reset(reason, detail);
    carryOn();
  }

  // Passing on what follows from the events.

  /** Passes on whatever is due to the pipes and the connection, and runs what is due. */
  public void carryOn() {
    if (carrying) {
      again = true;
      return;
    }
    carrying = true;
    try {
      do {
        again = false;
        if (gone) {
          connection.carryOn(stream); // Its user may read the end only now.
        } else {
          round();
        }
      } while (again);
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      carrying = false;
    }
    account();
  }

  /**
   * Resets the stream, for example for lack of memory: accepted octets are lost, so both ends must
   * be told. A junction that fails again ends its pipes, by which the peer notices.
   */
  private void fail(Throwable why) {
    LOG.log(Level.WARNING, "a segment failed", why);
    stream.reset(Reason.LOCAL_RESET, String.valueOf(why));
    connection.fail(String.valueOf(why));
    failures++;
    if (failures == 1) {
      loop.execute(this::carryOn); // Tells the peer.
    } else if (failures == 2) {
      loop.execute(this::closePipes);
    }
  }

  private void round() {
    connection.carryOn(stream);
    stream.grantAtMost(Math.clamp(memory.allowance(), 0, Integer.MAX_VALUE));
    long due = stream.onTime(now());
    for (SegmentStream.Dropped dropped : stream.dropped()) {
      PipeEnd pipe = pipes.remove(dropped.pipe());
      if (pipe != null) {
        inTurn = null;
        pipe.noteLost(dropped.why());
        pipe.close(false);
        observer.lost(pipe, dropped.why());
      }
    }
    measure();
    for (PipeEnd pipe : inTurn()) {
      pipe.noteState(stream.pipeState(pipe.number()));
      fill(pipe);
    }
    if (stream.state() == StreamState.RESET || stream.state() == StreamState.CLOSED) {
      over();
    } else {
      timer.at(due);
    }
  }

  private List<PipeEnd> inTurn() {
    List<PipeEnd> copy = inTurn;
    if (copy == null) {
      copy = List.copyOf(pipes.values());
      inTurn = copy;
    }
    return copy;
  }

  private void measure() {
    long now = now();
    if (now - measuredNanos >= MEASURED_EVERY_NANOS) {
      measuredNanos = now;
      pipes.values().forEach(pipe -> pipe.noteMeasured(stream.pipeReport(pipe.number())));
    }
  }

  private void fill(PipeEnd pipe) {
    if (pipe.mayWrite()) {
      ByteBuf batch = FrameBatch.of(pipe.takeStart(), stream, pipe.number(), now());
      if (batch != null) {
        stream.writing(pipe.number(), true);
        unwrittenBytes += batch.capacity();
        pipe.write(batch);
      } else if (stream.finished(pipe.number())) {
        pipe.finish();
      }
    }
    if (pipe.isFinished() && pipe.isInputEnded() && pipes.remove(pipe.number(), pipe)) {
      inTurn = null;
      pipe.noteLeft();
      pipe.close(true);
      stream.left(pipe.number(), now());
      observer.left(pipe);
    }
  }

  private void over() {
    if (!overNoticed) {
      overNoticed = true;
      SegmentStream.Failure failure = stream.failure();
      observer.ended(stream);
      if (!localClosed && failure != null) {
        connection.fail(failure.toString());
      }
      stream.release();
      // The last frames are being sent; bytes from the peer are no longer needed.
      timer.after(LAST_WORDS_NANOS, this::closePipes);
    }
    if (pipes.isEmpty() && !gone) {
      gone = true;
      timer.cancel();
      observer.over();
    }
  }

  private void closePipes() {
    List<PipeEnd> left = List.copyOf(pipes.values());
    pipes.clear();
    inTurn = null;
    for (PipeEnd pipe : left) {
      pipe.noteLeft();
      pipe.close(false);
    }
    carryOn();
  }
}
