package io.cascade.coding.stream;

import io.cascade.coding.session.SymbolContents;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a session. Those that have something to send take turns, symbol by symbol.
 * Arriving bytes are sorted into their streams at once, so that a missing symbol delays only its
 * own stream. Both ends may open streams: the end that began the session those with even ids, the
 * other end those with odd ids, each in ascending order.
 *
 * <p>{@link CodedStreamLimits} bounds the bytes, which are counted in its memory; a peer that
 * exceeds its credit fails the session. Used by one thread.
 */
public final class Streams implements SymbolContents {
  /** An end that has ended a stream may open the next before the other end has read all of it. */
  private static final int PEERS_LEEWAY = 4;

  /** Octets that a session may always hold. */
  private static final long HELD_BYTES = 1 << 20;

  /**
   * Most streams that a peer may open before the first of them is accepted, and most by which an id
   * may exceed the known ones. Reordered symbols use a part of it.
   */
  static final int MOST_UNACCEPTED = 1_024;

  /** Number of a peer's streams that are accepted even without free memory. */
  private static final int PEERS_FLOOR = 64;

  /** Most ranges of all streams together that wait for missing bytes. */
  private static final int MOST_RANGES = 1 << 16;

  /** Code of the reset of a stream for which there is no memory. */
  public static final long REFUSED = 2;

  private static final long FIRST_GUESS_NANOS = 100_000_000;

  private final CodedStreamLimits limits;
  private final Map<Long, CodedStream> open = new HashMap<>();
  private final ArrayDeque<CodedStream> queued = new ArrayDeque<>();
  private final ArrayDeque<CodedStream> changed = new ArrayDeque<>();
  private final ArrayDeque<CodedStream> ending = new ArrayDeque<>();
  private final ArrayDeque<CodedStream> arrivals = new ArrayDeque<>();
  private long nextOwn;
  private long nextPeers;
  private int own;
  private final StreamMemory memory;
  private final long mostMissing;
  private boolean isClosed;
  private long heldBytes;
  private long missingBytes;
  private int ranges;
  private long deliveredBelow;
  private long roundTripNanos = FIRST_GUESS_NANOS;

  /**
   * @param began whether this end began the session
   * @param windowBytes most bytes in flight to this end: no more may be missing
   */
  public Streams(boolean began, CodedStreamLimits limits, long windowBytes) {
    this.limits = limits;
    this.memory = limits.memory();
    this.mostMissing = windowBytes;
    this.nextOwn = began ? 0 : 1;
    this.nextPeers = began ? 1 : 0;
  }

  /** Opens a stream; null if the bound on open streams is reached. */
  public @Nullable CodedStream open() {
    if (own >= limits.mostStreams()) {
      return null;
    }
    CodedStream stream = new CodedStream(this, nextOwn, limits);
    nextOwn += 2;
    own++;
    open.put(stream.id(), stream);
    memory.chargeStreams(1);
    return stream;
  }

  /** Returns the next stream that the peer has opened; null if there is none. */
  public @Nullable CodedStream accept() {
    return arrivals.poll();
  }

  /**
   * Returns the next stream that has changed since it was last returned here: bytes to read, an
   * end, a reset, room. Null if there is none.
   */
  public @Nullable CodedStream nextChanged() {
    CodedStream stream = changed.poll();
    if (stream != null) {
      stream.isChanged = false;
    }
    return stream;
  }

  /** Whether {@link #nextChanged} would return one. */
  public boolean hasChanged() {
    return !changed.isEmpty() || !arrivals.isEmpty();
  }

  /** Streams that are not over. */
  public Collection<CodedStream> all() {
    return List.copyOf(open.values());
  }

  /** Number of streams that are not over. */
  public int count() {
    return open.size();
  }

  long deliveredBelow() {
    return deliveredBelow;
  }

  long roundTripNanos() {
    return roundTripNanos;
  }

  @Override
  public boolean waits() {
    while (!queued.isEmpty() && !queued.peek().isReady()) {
      queued.poll().isQueued = false;
    }
    return !queued.isEmpty();
  }

  @Override
  public void fill(long symbol, ByteBuffer into) {
    for (int turns = queued.size(); turns > 0; turns--) {
      CodedStream stream = queued.remove();
      stream.isQueued = false;
      stream.write(symbol, into);
      schedule(stream);
      closeIfOver(stream);
      if (into.remaining() < StreamFrame.MOST_CONTROL_BYTES) {
        return;
      }
    }
  }

  @Override
  public void arrived(ByteBuffer content) throws Malformed {
    while (content.hasRemaining()) {
      StreamFrame frame = StreamFrame.read(content);
      CodedStream stream = stream(frame.stream());
      if (stream != null) {
        stream.arrived(frame);
        count(stream);
        if (missingBytes > mostMissing) {
          throw new Malformed("more bytes are missing than a window of symbols holds", 0);
        }
        if (ranges > MOST_RANGES) {
          throw new Malformed("too many bytes without those before them", 0);
        }
        change(stream);
        schedule(stream);
        closeIfOver(stream);
      }
    }
  }

  /** Returns the stream with an id; null if it is over. Opens streams that the peer has opened. */
  private @Nullable CodedStream stream(long id) throws Malformed {
    boolean isPeers = (id & 1) == (nextPeers & 1);
    if (!isPeers && id >= nextOwn) {
      throw new Malformed("stream " + id + ", which is not open", 0);
    }
    if (isPeers && id >= nextPeers) {
      // Symbols may be reordered: the streams before it are open, too.
      long opened = (id - nextPeers) / 2 + 1;
      if (open.size() - own + opened > (long) PEERS_LEEWAY * limits.mostStreams()) {
        throw new Malformed("too many streams", 0);
      }
      if (opened + arrivals.size() > MOST_UNACCEPTED) {
        throw new Malformed("stream " + id + ", far beyond those that are open", 0);
      }
      for (; nextPeers <= id; nextPeers += 2) {
        openPeers(nextPeers);
      }
    }
    return open.get(id);
  }

  private void openPeers(long id) {
    boolean hasRoom =
        open.size() - own < PEERS_FLOOR || memory.freeBytes() >= StreamMemory.STREAM_BYTES;
    CodedStream stream = new CodedStream(this, id, limits);
    open.put(id, stream);
    memory.chargeStreams(1);
    if (hasRoom) {
      arrivals.add(stream);
    } else {
      stream.reset(REFUSED);
    }
  }

  @Override
  public void delivered(long below, long newRoundTripNanos) {
    deliveredBelow = below;
    roundTripNanos = newRoundTripNanos;
    while (!ending.isEmpty() && ending.peek().lastSymbol() < below) {
      CodedStream stream = ending.remove();
      stream.endDelivered();
      change(stream);
      closeIfOver(stream);
    }
  }

  /** Updates the count of what a stream holds, here and in the memory of all sessions. */
  void count(CodedStream stream) {
    if (isClosed) {
      return;
    }
    hold(stream, stream.memoryBytes());
    missingBytes += stream.missingBytes() - stream.countedMissing;
    stream.countedMissing = stream.missingBytes();
    ranges += stream.ranges() - stream.countedRanges;
    stream.countedRanges = stream.ranges();
  }

  private void hold(CodedStream stream, long bytes) {
    if (bytes != stream.countedBytes) {
      heldBytes += bytes - stream.countedBytes;
      memory.charge(bytes - stream.countedBytes);
      stream.countedBytes = bytes;
    }
  }

  /** Returns all memory, since the session is over. */
  public void close() {
    if (!isClosed) {
      isClosed = true;
      memory.charge(-heldBytes);
      memory.chargeStreams(-open.size());
    }
  }

  /**
   * The first credit of streams is fixed at both ends and granted without checking for free memory.
   * So this bound on the session's symbols limits what all streams hold.
   */
  @Override
  public boolean isFull() {
    return heldBytes > HELD_BYTES && heldBytes > memory.freeBytes();
  }

  void schedule(CodedStream stream) {
    if (!stream.isQueued && stream.isReady()) {
      stream.isQueued = true;
      queued.add(stream);
    }
  }

  void roomMade(CodedStream stream) {
    change(stream);
  }

  void endSent(CodedStream stream) {
    ending.add(stream);
  }

  void closeIfOver(CodedStream stream) {
    if (!stream.isOver() || !open.remove(stream.id(), stream)) {
      return;
    }
    if ((stream.id() & 1) == (nextOwn & 1)) {
      own--;
    }
    if (!isClosed) {
      count(stream);
      hold(stream, 0);
      memory.chargeStreams(-1);
    }
  }

  private void change(CodedStream stream) {
    if (!stream.isChanged) {
      stream.isChanged = true;
      changed.add(stream);
    }
  }
}
