package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.content.ExtentCheck;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.Checking;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.StandingReply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that is arriving, over one connection or several, which share one state:
 *
 * <pre>
 *             a connection joins   a block      the trailer    the digest    what was kept is damaged   a failure
 *   ARRIVING  itself               itself       CHECKING                                                FAILED
 *   CHECKING  itself               (is there)   (waits)        ARRIVED       ARRIVING                   FAILED
 *   ARRIVED   (told the answer)    (dropped)    (dropped)                                               itself
 *   FAILED    (told the answer)    (dropped)    (dropped)                                               itself
 * </pre>
 *
 * <p>The failure of the last connection is a failure of the transfer; if the sender reconnects, it
 * becomes one only after the time-out ({@link #leave}).
 */
final class Arrival {
  /** How often damaged data is requested again. */
  private static final int MOST_ROUNDS = 2;

  /** Interval of keep-alive messages to a sender that waits while the answer is computed. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

  private final TransferHeader header;
  private final OutputTarget target;
  private final Path path;
  private final TransferListener listener;
  private final StoringLoad load;
  private final ArrivingConnections connections = new ArrivingConnections();
  private ByteRanges ranges = new ByteRanges();
  private State state = State.ARRIVING;
  private @Nullable ArrivingFile file;
  private @Nullable DigestLane lane;

  /** What was held when the reception began, compared with what is read back. */
  private List<Extent> held = List.of();

  private ExtentCheck check = new ExtentCheck(held);
  private UUID reception = UUID.randomUUID();
  private int rounds;

  /** Bytes that were passed to the digest. */
  private long digested;

  /** Connections that have joined so far. */
  private long joins;

  private final long beganNanos = System.nanoTime();
  private boolean worthless;
  private boolean kept;
  private boolean left;

  /** Reply to a late connection. */
  private @Nullable FinalReply answer;

  /** States of a transfer. */
  enum State {
    ARRIVING,
    CHECKING,
    ARRIVED,
    FAILED;

    boolean isOver() {
      return this == ARRIVED || this == FAILED;
    }
  }

  /**
   * @param path of the file, or the folder for entries
   */
  Arrival(TransferHeader header, OutputTarget target, Path path, TransferListener listener) {
    this.header = header;
    this.target = target;
    this.path = path;
    this.listener = listener;
    this.load = new StoringLoad(listener);
  }

  TransferHeader header() {
    return header;
  }

  Path path() {
    return path;
  }

  synchronized State state() {
    return state;
  }

  /**
   * What a joining connection gets.
   *
   * @param lane whose buffers its blocks are read into
   * @param load records the time of storing blocks
   * @param offer for its sender; null where that does not reconnect
   * @param extents what was held at the beginning; empty where another connection sends them
   */
  record Entry(DigestLane lane, StoringLoad load, @Nullable Offer offer, List<Extent> extents) {}

  /**
   * Adds a connection.
   *
   * @param guard which records when bytes were moved on it
   * @return null where the transfer has ended
   * @throws TransferFailed where the file may not or cannot be written, or there are too many
   */
  synchronized @Nullable Entry join(ByteConnection connection, StallGuard guard)
      throws TransferFailed, InterruptedException {
    if (state.isOver()) {
      return null;
    }
    connections.checkRoom();
    DigestLane open = lane;
    if (open == null) {
      ArrivingFile made = target.open(header);
      file = made;
      open = new DigestLane(Block.MAX_BYTES);
      lane = open;
      listener.started(header);
      begin(open, made);
      made.answers(this::tell);
    }
    boolean alone = connections.isEmpty();
    connections.add(connection, guard);
    open.readBy(connections.size());
    joins++;
    notifyAll();
    return header.resumable()
        ? new Entry(open, load, new Offer(reception, ranges.copy()), alone ? held : List.of())
        : new Entry(open, load, null, List.of());
  }

  /**
   * Replies to the sender over the most recently active connection. If that fails, the sender does
   * not wait for the reply.
   */
  private void tell(StandingReply reply) {
    Optional<ByteConnection> liveliest;
    synchronized (this) {
      liveliest = connections.liveliest();
    }
    if (liveliest.isPresent()) {
      try {
        Channels.writeFully(liveliest.get(), reply.encode());
      } catch (IOException e) {
        // The connection's reader notices the failure.
      }
    }
  }

  /** Begins with what is held. */
  private void begin(DigestLane open, ArrivingFile from)
      throws TransferFailed, InterruptedException {
    Extents extents = from.held();
    held = extents.all();
    check = new ExtentCheck(held);
    ranges = extents.ranges();
    reception = UUID.randomUUID();
    digested = 0;
    if (ranges.bytes() > 0) {
      listener.moved(ranges.bytes());
      digestStored(open, from);
    }
  }

  /** Waits until a block may be stored; the delay does not count as a stall of the connection. */
  void awaitRoom(long end, StallGuard guard) throws TransferFailed, InterruptedException {
    ArrivingFile part = file();
    while (part != null && !part.awaitRoom(end, SIGN_OF_LIFE)) {
      guard.moved();
    }
  }

  synchronized @Nullable ArrivingFile file() {
    return file;
  }

  /**
   * Stores a block and releases its buffer.
   *
   * @return whether it counts; false where the transfer has ended
   */
  synchronized boolean store(DigestLane.Slot slot, long offset)
      throws TransferFailed, InterruptedException {
    DigestLane open = lane;
    ArrivingFile part = file;
    if (state.isOver() || open == null || part == null) {
      return false;
    }
    long end = offset + slot.length();
    boolean there = ranges.contains(offset, end);
    if (state == State.ARRIVING && !(there && part.holds(slot, offset))) {
      part.write(slot, offset);
      boolean replaces = ranges.overlap(offset, end) > 0;
      long _ = ranges.add(offset, end);
      if (ranges.count() > Offer.MOST_RANGES) {
        throw new TransferFailed("damaged on the way: more than " + Offer.MOST_RANGES + " gaps");
      }
      if (replaces) {
        check.replaced(offset, end);
        if (offset < digested) {
          open.restart(check::restart);
          digested = 0;
        }
      }
      digest(open, part, slot, offset);
    }
    open.release(slot);
    listener.moved(ranges.bytes());
    return true;
  }

  /** Digests contiguous bytes, unless the digest is far behind. */
  private void digest(DigestLane open, ArrivingFile part, DigestLane.Slot slot, long offset)
      throws InterruptedException {
    if (part.isDigestedFromHere()) {
      digestStored(open, part); // Even if it is far behind: what the part file holds is bounded.
      return;
    }
    boolean next = offset == digested && ranges.contiguous() == offset + slot.length();
    if (next && (slot.isHole() || open.keepsUp())) {
      open.digest(slot, slot.buffer.duplicate());
      digested = ranges.contiguous();
    } else if (open.keepsUp()) {
      digestStored(open, part);
    }
  }

  private void digestStored(DigestLane open, ArrivingFile part) throws InterruptedException {
    long reached = ranges.contiguous();
    if (reached > digested) {
      ExtentCheck compared = check;
      DigestLane.Reader reader =
          (into, offset) -> {
            part.read(into, offset);
            List<Extent> _ = compared.read(offset, into.duplicate().flip());
          };
      open.digest(reader, digested, reached - digested);
      digested = reached;
    }
  }

  /**
   * Ends the transfer once everything has arrived. Reading back what was held may take long; the
   * sender gets keep-alive messages meanwhile.
   *
   * @param total bytes of the file, from the sender
   * @param claimed their digest, from the sender
   * @param connection that brought the trailer; the others are closed
   * @return null where the transfer has ended, by another connection's trailer or otherwise
   * @throws TransferFailed where something is missing or differs from what was sent
   * @throws IOException where it differs from what was sent, and is requested again
   */
  @Nullable Whole finish(long total, Sha256 claimed, ByteConnection connection, StallGuard guard)
      throws IOException, InterruptedException {
    DigestLane.Sum sum = sum(total);
    if (sum == null) {
      while (isChecking()) {
        sign(connection, guard, Bottleneck.DIGEST);
      }
      return null;
    }
    Sha256 computed = sum.await(SIGN_OF_LIFE);
    while (computed == null) {
      sign(connection, guard, Bottleneck.DIGEST);
      computed = sum.await(SIGN_OF_LIFE);
    }
    ArrivingFile part = file();
    while (part != null && !part.awaitWritten(SIGN_OF_LIFE)) {
      sign(connection, guard, Bottleneck.DISK);
    }
    return conclude(total, computed, claimed, connection);
  }

  /** Begins to check what has arrived; null where that is not due. */
  private synchronized DigestLane.@Nullable Sum sum(long total)
      throws TransferFailed, InterruptedException {
    DigestLane open = lane;
    ArrivingFile part = file;
    if (state != State.ARRIVING || open == null || part == null) {
      return null;
    }
    boolean asAnnounced = !header.sizeKnown() || header.size() == total;
    if (total != ranges.bytes() || total != ranges.contiguous() || !asAnnounced) {
      throw new TransferFailed(
          "%s arrived, the sender says that it sent %d".formatted(describe(), total));
    }
    state = State.CHECKING;
    digestStored(open, part);
    return open.sum();
  }

  /** Waits for a while; returns whether another connection's trailer is still being checked. */
  private synchronized boolean isChecking() throws InterruptedException {
    long deadline = System.nanoTime() + SIGN_OF_LIFE.toNanos();
    for (long left = SIGN_OF_LIFE.toMillis();
        left > 0 && state == State.CHECKING;
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
    return state == State.CHECKING;
  }

  private void sign(ByteConnection connection, StallGuard guard, Bottleneck slow) {
    guard.moved();
    synchronized (this) {
      listener.slowedBy(slow);
      listener.moved(ranges.bytes()); // Shows programs that the transfer continues.
    }
    try {
      Channels.writeFully(connection, new Checking().encode());
    } catch (IOException e) {
      // The sender gets the answer over its next connection.
    }
  }

  private synchronized @Nullable Whole conclude(
      long total, Sha256 computed, Sha256 claimed, ByteConnection connection)
      throws IOException, InterruptedException {
    DigestLane open = lane;
    ArrivingFile part = file;
    if (state != State.CHECKING || open == null || part == null) {
      return null;
    }
    List<Extent> damaged = check.damaged();
    if (!damaged.isEmpty() || !computed.equals(claimed)) {
      if (header.resumable() && part.isKept() && rounds < MOST_ROUNDS) {
        rounds++;
        part.strike(damaged);
        open.restart(() -> {});
        begin(open, part);
        state = State.ARRIVING;
        listener.slowedBy(null);
        closeConnections();
        throw new IOException("what is kept is damaged; it is asked for again");
      }
      worthless = true;
      throw part.differs("%d bytes with SHA-256 %s (sent: %s)".formatted(total, computed, claimed));
    }
    Path at = part.commit();
    Whole whole =
        new Whole(at, total, computed, Received.Entries.of(header.name(), part.entries()));
    answer = FinalReply.stands(total, computed);
    connections.remove(connection);
    over(State.ARRIVED);
    return whole;
  }

  /** A complete file under its name, or complete entries in a folder. */
  record Whole(Path file, long bytes, Sha256 sha256, Received.@Nullable Entries entries) {}

  /**
   * A connection failed. If it was the last one of a sender that reconnects, waits for the next.
   *
   * @param patience how long to wait at most
   * @return whether the transfer failed with it
   */
  synchronized boolean leave(ByteConnection connection, Duration patience)
      throws InterruptedException {
    connections.remove(connection);
    if (lane != null) {
      lane.readBy(connections.size());
    }
    if (header.returns()) {
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
    if (!connections.isEmpty() || state == State.CHECKING) {
      return false;
    }
    left = true;
    return over(State.FAILED);
  }

  private boolean isWaiting() {
    return header.returns() && joins > 0 && state == State.ARRIVING && connections.isEmpty();
  }

  /** Fails a transfer whose sender has not reconnected yet; returns whether it was one. */
  synchronized boolean giveWay() {
    return isWaiting() && over(State.FAILED);
  }

  /**
   * Whether it may be replaced by another transfer of the same file: its sender has not
   * reconnected, or no byte has been moved for so long, since a sender's host may fail silently.
   */
  synchronized boolean mayGiveWay(Duration idle) {
    return isWaiting() || connections.areSilentFor(idle);
  }

  /** Fails it where it {@link #mayGiveWay}; returns whether it did. */
  synchronized boolean giveWay(Duration idle) {
    return mayGiveWay(idle) && over(State.FAILED);
  }

  /** Returns the reply to a late connection; null where there is none. */
  synchronized @Nullable FinalReply answer() {
    return header.resumable() ? answer : null;
  }

  /**
   * Fails the transfer.
   *
   * @param connection stays open, so that its sender can be told why
   * @return false where the transfer had ended already
   */
  synchronized boolean fail(ByteConnection connection) {
    connections.remove(connection);
    return over(State.FAILED);
  }

  /** Discards what has arrived: a later transfer cannot use it. */
  synchronized void discard() {
    worthless = true;
  }

  /** Whether it failed and kept what had arrived. */
  synchronized boolean isKept() {
    return kept;
  }

  /** Whether a connection of its sender restarts it: it failed for want of a connection. */
  synchronized boolean mayBeBegunAnew() {
    return state == State.FAILED && left;
  }

  /** Describes for the receiver's user what is kept of what has arrived. */
  String whatIsKept() {
    ArrivingFile part = file();
    return isKept()
        ? ArrivingFile.advice(path)
        : part == null ? "nothing was kept" : part.remains();
  }

  /** Describes what would be kept if the process ended now; null for nothing. */
  synchronized @Nullable String wouldBeKept() {
    ArrivingFile part = file;
    return state.isOver() || part == null || !part.isKept()
        ? null
        : "%s: %s; %s".formatted(header.name(), describe(), ArrivingFile.advice(path));
  }

  /** Time since its first connection. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  synchronized long bytes() {
    return ranges.bytes();
  }

  synchronized String describe() {
    return header.progress(ranges.bytes());
  }

  private boolean over(State to) {
    if (state.isOver()) {
      return false;
    }
    state = to;
    if (to == State.FAILED) {
      answer = FinalReply.refused(ranges.bytes(), "it has given the transfer up");
    }
    notifyAll();
    ArrivingFile part = file;
    if (part != null) {
      kept = to == State.FAILED && !worthless && part.isKept();
      if (kept) {
        part.keep();
      } else {
        part.close();
      }
    }
    if (lane != null) {
      lane.close();
      lane = null; // An ended transfer is remembered without its buffers.
      listener.ended();
    }
    closeConnections();
    return true;
  }

  private void closeConnections() {
    connections.close();
    notifyAll();
  }
}
