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
 * The streams of a session. Those that have something to send take turns, symbol by symbol; what
 * arrives is sorted into its stream at once, so that a symbol that is missing holds up its own
 * stream alone. Both ends may open streams: the one that began the session those of even ids, the
 * other one those of odd ids, each in ascending order.
 *
 * <p>Bytes are bounded by {@link CodedStreamLimits}; a peer that exceeds them fails the session.
 * Used by one thread.
 */
public final class Streams implements SymbolContents {
  /** An end that has ended a stream may open the next before the other end has read all of it. */
  private static final int PEERS_LEEWAY = 4;

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
  private long deliveredBelow;
  private long roundTripNanos = FIRST_GUESS_NANOS;

  /**
   * @param began whether this end began the session
   */
  public Streams(boolean began, CodedStreamLimits limits) {
    this.limits = limits;
    this.nextOwn = began ? 0 : 1;
    this.nextPeers = began ? 1 : 0;
  }

  /** Opens a stream; null where as many are open as may be. */
  public @Nullable CodedStream open() {
    if (own >= limits.mostStreams()) {
      return null;
    }
    CodedStream stream = new CodedStream(this, nextOwn, limits);
    nextOwn += 2;
    own++;
    open.put(stream.id(), stream);
    return stream;
  }

  /** The next stream that the peer has opened; null where there is none. */
  public @Nullable CodedStream accept() {
    return arrivals.poll();
  }

  /**
   * The next stream of which something has changed since it was last returned here: bytes to read,
   * an end, a reset, room. Null where there is none.
   */
  public @Nullable CodedStream nextChanged() {
    CodedStream stream = changed.poll();
    if (stream != null) {
      stream.isChanged = false;
    }
    return stream;
  }

  /** Whether {@link #nextChanged} has one. */
  public boolean hasChanged() {
    return !changed.isEmpty() || !arrivals.isEmpty();
  }

  /** Streams that are not over. */
  public Collection<CodedStream> all() {
    return List.copyOf(open.values());
  }

  /** How many streams are not over. */
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
        change(stream);
        schedule(stream);
        closeIfOver(stream);
      }
    }
  }

  /** The stream of an id; null where it is over. Opens those that the peer has opened. */
  private @Nullable CodedStream stream(long id) throws Malformed {
    boolean isPeers = (id & 1) == (nextPeers & 1);
    if (!isPeers && id >= nextOwn) {
      throw new Malformed("stream " + id + ", which is not open", 0);
    }
    if (isPeers && id >= nextPeers) {
      // Symbols overtake each other: the streams before it are open, too.
      long opened = (id - nextPeers) / 2 + 1;
      if (open.size() - own + opened > (long) PEERS_LEEWAY * limits.mostStreams()) {
        throw new Malformed("too many streams", 0);
      }
      for (; nextPeers <= id; nextPeers += 2) {
        CodedStream stream = new CodedStream(this, nextPeers, limits);
        open.put(nextPeers, stream);
        arrivals.add(stream);
      }
    }
    return open.get(id);
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
    if (stream.isOver() && open.remove(stream.id(), stream) && (stream.id() & 1) == (nextOwn & 1)) {
      own--;
    }
  }

  private void change(CodedStream stream) {
    if (!stream.isChanged) {
      stream.isChanged = true;
      changed.add(stream);
    }
  }
}
