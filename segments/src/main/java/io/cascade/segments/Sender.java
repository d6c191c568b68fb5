package io.cascade.segments;

import io.cascade.segments.ChunkMemory.Chunk;
import io.cascade.segments.PipeFlight.Sent;
import io.cascade.segments.Ranges.Range;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a stream where it is sent. Keeps every octet from its offer to its
 * acknowledgement by offset, and hands pieces to the pipes that ask for them.
 *
 * <p>Every octet that was sent and is not acknowledged is in one of three places: in the flight of
 * a pipe, in {@link #again}, or at the receiver, which said that it came over its pipe. The end
 * takes one octet's place, so that it is sent again like any other.
 */
final class Sender {
  /**
   * Bound of pieces on their way: more would leave more gaps than the receiver keeps account of.
   */
  static final int MOST_PIECES = 2_048;

  /**
   * Least delay that counts as late: a shorter one may come from a process that had to wait for a
   * processor.
   */
  private static final double LEAST_LATE_NANOS = 100e6;

  private final WindowGrowth growth;
  private final Scheduler scheduler;
  private final ByteWindow bytes;
  private final Ranges again = new Ranges();
  private final StallClock stall = new StallClock();
  private final Map<Integer, PipeFlight> pipes = new LinkedHashMap<>();

  /** First offset that is not acknowledged, that was never sent, and that was not offered. */
  private long acknowledged;

  private long next;
  private long offered;

  /** First offset that the peer does not grant yet. */
  private long limit;

  private @Nullable Reason end;

  /** Octets that were sent more than once. */
  private long sentAgain;

  Sender(WindowGrowth growth, Scheduler scheduler, ChunkMemory memory) {
    this.bytes = new ByteWindow(memory);
    this.growth = growth;
    this.scheduler = scheduler;
  }

  /** The least window that any receiver grants at first is taken as granted. */
  void openWindow() {
    limit = Math.max(limit, FrameCodec.MOST_DATA);
  }

  /** Takes what fits, and consumes it. */
  int offer(ByteBuffer from) {
    if (end != null) {
      throw new IllegalStateException("the direction has ended");
    }
    int length = Math.min(from.remaining(), room());
    ByteBuffer taken = from.slice(from.position(), length);
    bytes.put(offered, taken);
    from.position(from.position() + length);
    offered += length;
    return length;
  }

  int room() {
    return end == null ? (int) (acknowledged + growth.octets() - offered) : 0;
  }

  /** Nothing more will be offered. */
  void end(Reason reason) {
    if (end == null) {
      end = reason;
    }
  }

  @Nullable Reason ended() {
    return end;
  }

  boolean allAcknowledged() {
    return end != null && acknowledged == total();
  }

  long acknowledged() {
    return acknowledged;
  }

  long sentAgain() {
    return sentAgain;
  }

  long longestStallNanos() {
    return stall.longestNanos();
  }

  /** Lets go of everything that is kept. */
  void release() {
    bytes.release();
    growth.release();
  }

  long heldBytes() {
    return bytes.heldBytes();
  }

  /** The chunk that holds an octet which is kept. */
  Chunk chunk(long offset) {
    return bytes.chunk(offset);
  }

  PipeFlight join(PipeFlight pipe) {
    pipes.values().stream().mapToLong(PipeFlight::share).min().ifPresent(pipe::beginShareAt);
    pipe.cursor(acknowledged);
    pipes.put(pipe.number(), pipe);
    return pipe;
  }

  /** The least round trip of the pipe where it is greatest; 0 where none was measured. */
  double greatestRoundTripNanos() {
    double greatest = 0;
    for (PipeFlight pipe : pipes.values()) {
      if (pipe.state() == PipeState.ACTIVE && pipe.isRoundTripKnown()) {
        greatest = Math.max(greatest, pipe.leastRoundTripNanos());
      }
    }
    return greatest;
  }

  /** Hands the pipe's flight to the others. */
  void lost(PipeFlight pipe) {
    pipe.on(PipeState.Event.LOST);
    pipes.remove(pipe.number());
    handOver(pipe);
  }

  /** The pipe's flight is overdue: others may carry it, while it may still arrive. */
  void overdue(PipeFlight pipe) {
    pipe.on(PipeState.Event.OVERDUE);
    handOver(pipe);
  }

  private void handOver(PipeFlight pipe) {
    for (Sent piece : pipe.pieces()) {
      if (!piece.handedOver() && piece.end() > acknowledged) {
        piece.handOver();
        again.add(Math.max(piece.start(), acknowledged), piece.end());
      }
    }
  }

  /** A pipe that was suspected carries on: what no other pipe has taken stays with it. */
  void revived(PipeFlight pipe) {
    pipe.on(PipeState.Event.HEARD);
    for (Sent piece : pipe.pieces()) {
      if (piece.handedOver()) {
        piece.takeBack();
        again.remove(piece.start(), piece.end());
      }
    }
  }

  void acknowledged(PipeFlight pipe, Frame.Acknowledgement frame, long nowNanos)
      throws ProtocolViolation {
    if (frame.received() > next) {
      throw new ProtocolViolation(
          Reason.ACKNOWLEDGED_UNSENT, "offset %d, of %d".formatted(frame.received(), next));
    }
    for (Sent piece : pipe.arrived(frame.onThisPipe(), nowNanos)) {
      again.remove(piece.start(), piece.end());
    }
    if (frame.received() > acknowledged) {
      acknowledged = frame.received();
      again.remove(0, acknowledged);
      bytes.discardBefore(acknowledged);
      stall.progress(nowNanos);
    }
    limit = Math.max(limit, frame.limit());
    growth.reach(limit - acknowledged);
  }

  /** The next piece for a pipe that has nothing to write; null where it is to wait. */
  @Nullable Frame next(PipeFlight pipe, long nowNanos) {
    boolean idle = next == acknowledged;
    Frame piece = chosen(pipe, nowNanos);
    if (idle && piece != null) {
      stall.begin(nowNanos);
    }
    return piece;
  }

  private @Nullable Frame chosen(PipeFlight pipe, long nowNanos) {
    if (!pipe.mayCarry()) {
      return null;
    }
    if (scheduler == Scheduler.DUPLICATE) {
      return nextCopy(pipe, nowNanos);
    }
    int most = pipe.pieceBytes();
    Frame late = repeatLate(pipe, most, nowNanos);
    if (late != null) {
      return late;
    }
    Range lost = again.first();
    Scheduler.Backlog backlog = backlog(lost);
    if (lost != null) {
      int length = (int) Math.min(most, lost.end() - lost.start());
      return takes(pipe, length, backlog) ? resend(pipe, lost, most, nowNanos) : null;
    }
    if (next < sendable() && piecesUnderWay() < MOST_PIECES) {
      int length = (int) Math.min(most, sendable() - next);
      return takes(pipe, length, backlog) ? sendNew(pipe, most, nowNanos) : null;
    }
    return reinject(pipe, most, nowNanos);
  }

  private boolean takes(PipeFlight pipe, int length, Scheduler.Backlog backlog) {
    return scheduler.takes(pipe, length, backlog, pipes.values());
  }

  private Scheduler.Backlog backlog(@Nullable Range lost) {
    long waiting = sendable() - next + (lost == null ? 0 : again.size());
    return new Scheduler.Backlog(waiting, Math.min(limit, acknowledged + growth.octets()) - next);
  }

  private int piecesUnderWay() {
    return pipes.values().stream().mapToInt(PipeFlight::pieceCount).sum();
  }

  private Frame resend(PipeFlight pipe, Range lost, int most, long nowNanos) {
    Frame frame = piece(lost.start(), lost.end(), most);
    long end = endOf(frame);
    again.remove(lost.start(), end);
    sentAgain += end - lost.start();
    pipe.sent(lost.start(), end, again.isEmpty() && next >= sendable(), nowNanos);
    return frame;
  }

  private Frame sendNew(PipeFlight pipe, int most, long nowNanos) {
    long start = next;
    Frame frame = piece(start, sendable(), most);
    next = endOf(frame);
    pipe.sent(start, next, next >= sendable(), nowNanos);
    return frame;
  }

  /**
   * Repeats what holds everything up before anything new is sent: it is overdue at another pipe by
   * more than this one takes for it. That pipe has too much in flight for what it delivers, and
   * gets less. So does MPTCP once its window is full (opportunistic retransmission and
   * penalisation, Raiciu et al., NSDI 2012); here a piece that is late is repeated before it fills
   * the window.
   */
  private @Nullable Frame repeatLate(PipeFlight pipe, int most, long nowNanos) {
    for (PipeFlight other : pipes.values()) {
      Sent late = other == pipe ? null : firstAlone(other);
      if (late == null) {
        continue;
      }
      long length = Math.min(most, late.end() - late.aloneFrom(acknowledged));
      double patience = Math.max(LEAST_LATE_NANOS, pipe.completionNanos(length));
      if (patience < -other.dueNanos(late, nowNanos)) {
        other.penalise(nowNanos);
        return copy(pipe, late, most, nowNanos);
      }
    }
    return null;
  }

  /**
   * Repeats what holds everything up, since there is nothing else to do: this pipe would deliver it
   * in less than half the time that it is expected to take at another one.
   */
  private @Nullable Frame reinject(PipeFlight pipe, int most, long nowNanos) {
    for (PipeFlight other : pipes.values()) {
      Sent head = other == pipe ? null : firstAlone(other);
      if (head == null || head.aloneFrom(acknowledged) != acknowledged) {
        continue;
      }
      long length = Math.min(most, head.end() - acknowledged);
      if (2 * pipe.completionNanos(length) < Math.abs(other.dueNanos(head, nowNanos))) {
        return copy(pipe, head, most, nowNanos);
      }
    }
    return null;
  }

  /** The oldest piece of a flight that no other pipe has too; null where there is none. */
  private @Nullable Sent firstAlone(PipeFlight pipe) {
    for (Sent piece : pipe.pieces()) {
      if (piece.aloneFrom(acknowledged) < piece.end()) {
        return piece;
      }
    }
    return null;
  }

  private Frame copy(PipeFlight pipe, Sent of, int most, long nowNanos) {
    long start = of.aloneFrom(acknowledged);
    Frame frame = piece(start, of.end(), most);
    of.copiedTo(endOf(frame));
    sentAgain += endOf(frame) - start;
    pipe.sent(start, endOf(frame), true, nowNanos);
    return frame;
  }

  /**
   * Duplicate mode: the pipe carries everything from where it is, but for what is known to be
   * there.
   */
  private @Nullable Frame nextCopy(PipeFlight pipe, long nowNanos) {
    long start = Math.max(pipe.cursor(), acknowledged);
    if (start >= sendable() || piecesUnderWay() >= MOST_PIECES * pipes.size()) {
      return null;
    }
    Frame frame = piece(start, sendable(), pipe.pieceBytes());
    long end = endOf(frame);
    pipe.cursor(end);
    sentAgain += Math.max(0, Math.min(end, next) - start);
    next = Math.max(next, end);
    again.remove(start, end);
    pipe.sent(start, end, end >= sendable(), nowNanos);
    return frame;
  }

  /** The octets from start on, to before end at most, or the stream's end. */
  private Frame piece(long start, long end, int most) {
    if (this.end != null && start == offered) {
      return new Frame.End(offered, this.end);
    }
    long bytesEnd = Math.min(end, offered);
    return new Frame.Data(start, bytes.view(start, (int) Math.min(most, bytesEnd - start)));
  }

  private static long endOf(Frame piece) {
    return switch (piece) {
      case Frame.Data(long offset, ByteBuffer data) -> offset + data.remaining();
      case Frame.End(long offset, Reason _) -> offset + 1;
      default -> throw new IllegalArgumentException(piece.toString());
    };
  }

  /** Length of the direction as far as it is known, its end included. */
  private long total() {
    return end == null ? offered : offered + 1;
  }

  /** First offset that may not be sent; the end needs no window. */
  private long sendable() {
    return offered <= limit ? total() : limit;
  }

  /**
   * Octets that were sent, are not acknowledged by offset, and are neither in a flight nor waiting
   * to be sent again: the receiver has told that each of them came over its pipe.
   */
  Ranges unaccounted() {
    Ranges missing = new Ranges();
    missing.add(acknowledged, next);
    for (PipeFlight pipe : pipes.values()) {
      for (Sent piece : pipe.pieces()) {
        missing.remove(piece.start(), piece.end());
      }
    }
    for (Range range = again.first(); range != null; range = again.from(range.end())) {
      missing.remove(range.start(), range.end());
    }
    return missing;
  }
}
