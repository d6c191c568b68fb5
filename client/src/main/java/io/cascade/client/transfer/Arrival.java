package io.cascade.client.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that is arriving, over one connection or several.
 *
 * <pre>
 *             a connection joins   a block     the trailer    the last connection breaks, or a failure
 *   ARRIVING  itself               itself      ARRIVED        FAILED
 *   ARRIVED   (told the answer)    (dropped)   (dropped)      itself
 *   FAILED    (told the answer)    (dropped)   (dropped)      itself
 * </pre>
 *
 * <p>Where the sender connects again, the last connection's break changes nothing until its
 * patience is over ({@link #leave}).
 */
final class Arrival {
  /** Bound of connections: more gain nothing, and each has a thread. */
  private static final int MOST_CONNECTIONS = 16;

  /** Two connections leave a few gaps; whoever leaves thousands is not a sender. */
  private static final int MOST_RANGES = 4_096;

  private final TransferHeader header;
  private final OutputTarget target;
  private final TransferListener listener;
  private final Map<ByteConnection, StallGuard> connections = new HashMap<>();
  private final ByteRanges ranges = new ByteRanges();
  private State state = State.ARRIVING;
  private @Nullable PartFile file;
  private @Nullable DigestLane lane;
  private long digested;

  /** Connections that have joined so far. */
  private long joins;

  /** Reply to a connection that comes too late. */
  private @Nullable FinalReply answer;

  /** States of a transfer. */
  enum State {
    ARRIVING,
    ARRIVED,
    FAILED
  }

  Arrival(TransferHeader header, OutputTarget target, TransferListener listener) {
    this.header = header;
    this.target = target;
    this.listener = listener;
  }

  TransferHeader header() {
    return header;
  }

  synchronized State state() {
    return state;
  }

  /**
   * Takes a connection in.
   *
   * @param guard which knows when bytes moved on it
   * @return what its blocks are read into; null where the transfer is over
   * @throws TransferFailed where the file may not or cannot be written, or there are too many
   */
  synchronized @Nullable DigestLane join(ByteConnection connection, StallGuard guard)
      throws TransferFailed {
    if (state != State.ARRIVING) {
      return null;
    }
    if (connections.size() == MOST_CONNECTIONS) {
      throw new TransferFailed("more than " + MOST_CONNECTIONS + " connections for one file");
    }
    DigestLane open = lane;
    if (open == null) {
      file = PartFile.create(target.of(header), target, header.size());
      open = new DigestLane(Block.MAX_BYTES);
      lane = open;
      listener.started(header);
    }
    connections.put(connection, guard);
    joins++;
    notifyAll();
    return open;
  }

  /**
   * Stores a block and releases its buffer.
   *
   * @return whether it counts; false where the transfer is over
   */
  synchronized boolean store(DigestLane.Slot slot, long offset)
      throws TransferFailed, InterruptedException {
    DigestLane open = lane;
    PartFile part = file;
    if (state != State.ARRIVING || open == null || part == null) {
      return false;
    }
    ByteBuffer content = slot.buffer;
    int length = content.remaining();
    part.write(content.duplicate(), offset);
    if (ranges.add(offset, offset + length) > 0) {
      if (ranges.count() > MOST_RANGES) {
        throw new TransferFailed("damaged on the way: more than " + MOST_RANGES + " gaps");
      }
      digest(open, part, slot, offset, length);
    }
    open.release(slot);
    listener.moved(ranges.bytes());
    return true;
  }

  /** The digest goes on as far as there is no gap. */
  private void digest(DigestLane open, PartFile part, DigestLane.Slot slot, long offset, int length)
      throws InterruptedException {
    long reached = ranges.contiguous();
    if (offset == digested && reached == offset + length) {
      open.digest(slot, slot.buffer.duplicate());
    } else if (reached > digested) {
      open.digest(part::read, digested, reached - digested);
    }
    digested = Math.max(digested, reached);
  }

  /**
   * Ends the transfer where everything is there.
   *
   * @param total bytes of the file, as the sender says
   * @param claimed their digest, as the sender says
   * @param connection that brought the trailer; the others are closed
   * @return null where the transfer is over already
   * @throws TransferFailed where something is missing or is not what was sent
   */
  synchronized @Nullable Whole finish(long total, Sha256 claimed, ByteConnection connection)
      throws IOException, InterruptedException {
    DigestLane open = lane;
    PartFile part = file;
    if (state != State.ARRIVING || open == null || part == null) {
      return null;
    }
    boolean asAnnounced = !header.sizeKnown() || header.size() == total;
    if (total != ranges.bytes() || total != ranges.contiguous() || !asAnnounced) {
      throw new TransferFailed(
          "%s arrived, the sender says that it sent %d".formatted(describe(), total));
    }
    Sha256 computed = open.finish();
    if (!computed.equals(claimed)) {
      throw new TransferFailed(
          "damaged on the way: %d bytes with SHA-256 %s (sent: %s)"
              .formatted(total, computed, claimed));
    }
    Whole whole = new Whole(part.commit(), total, computed);
    answer = FinalReply.stands(total, computed);
    connections.remove(connection);
    over(State.ARRIVED);
    return whole;
  }

  /** A file that stands under its name. */
  record Whole(java.nio.file.Path file, long bytes, Sha256 sha256) {}

  /**
   * A connection broke. Where it was the last one of a sender that connects again, waits for the
   * next.
   *
   * @param patience how long to wait at the most
   * @return whether the transfer failed with it
   */
  synchronized boolean leave(ByteConnection connection, Duration patience)
      throws InterruptedException {
    connections.remove(connection);
    if (header.resumable()) {
      long known = joins;
      long deadline = System.nanoTime() + patience.toNanos();
      for (long left = patience.toMillis();
          left > 0 && isWaiting() && joins == known;
          left = (deadline - System.nanoTime()) / 1_000_000) {
        wait(left);
      }
      if (joins != known) {
        return false;
      }
    }
    return connections.isEmpty() && over(State.FAILED);
  }

  private boolean isWaiting() {
    return state == State.ARRIVING && connections.isEmpty();
  }

  /**
   * Gives up a transfer whose sender has not connected again yet, for another one.
   *
   * @return whether it was such a transfer
   */
  synchronized boolean giveWay() {
    return header.resumable() && joins > 0 && isWaiting() && over(State.FAILED);
  }

  /**
   * Gives up a transfer for another one of the same file, where its sender has not connected again
   * or no byte has moved: the host of a sender may be gone without a word.
   *
   * @param idle how long no byte has moved on any connection
   * @return whether it was such a transfer
   */
  synchronized boolean giveWay(Duration idle) {
    boolean silent =
        !connections.isEmpty()
            && connections.values().stream().allMatch(guard -> guard.idle().compareTo(idle) >= 0);
    return giveWay() || (silent && over(State.FAILED));
  }

  /** Returns the reply to a connection that comes too late; null where there is none. */
  synchronized @Nullable FinalReply answer() {
    return header.resumable() ? answer : null;
  }

  /**
   * The transfer cannot succeed any more.
   *
   * @param connection to be kept, so that its sender can be told why
   * @return false where it was over already
   */
  synchronized boolean fail(ByteConnection connection) {
    connections.remove(connection);
    return over(State.FAILED);
  }

  synchronized long bytes() {
    return ranges.bytes();
  }

  synchronized String describe() {
    return header.sizeKnown()
        ? "%d of %d bytes".formatted(ranges.bytes(), header.size())
        : ranges.bytes() + " bytes";
  }

  private boolean over(State to) {
    if (state != State.ARRIVING) {
      return false;
    }
    state = to;
    if (to == State.FAILED) {
      answer = FinalReply.refused(ranges.bytes(), "it has given the transfer up");
    }
    notifyAll();
    if (file != null) {
      file.close();
    }
    if (lane != null) {
      lane.close();
      lane = null; // A transfer that is over is remembered, its buffers are not.
      listener.ended();
    }
    for (ByteConnection other : connections.keySet()) {
      try {
        other.close();
      } catch (IOException e) {
        // Closed is what it was to be.
      }
    }
    connections.clear();
    return true;
  }
}
