package io.cascade.segments;

import io.cascade.segments.ChunkMemory.Chunk;
import io.cascade.segments.PipeFlight.Sent;
import io.cascade.segments.Ranges.Range;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one direction. Keeps every octet from its offer to its acknowledgement by
 * offset, and assigns pieces to the pipes that request them.
 *
 * <p>Every octet that was sent and is not acknowledged is in one of three places: in the flight of
 * a pipe, in {@link #again}, or at the receiver, which has reported that it arrived over its pipe.
 * The end occupies one octet, so that it is retransmitted like any other.
 */
final class Sender {
  /** Most pieces in flight: more would leave more gaps than the receiver can record. */
  static final int MOST_PIECES = 2_048;

  /**
   * Least delay that counts as late: a shorter one may come from a process that waited for a
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

  /** First offset that the peer has not granted yet. */
  private long limit;

  private @Nullable Reason end;

  /** Octets that were retransmitted. */
  private long sentAgain;

  Sender(WindowGrowth growth, Scheduler scheduler, ChunkMemory memory) {
    this.bytes = new ByteWindow(memory);
    this.growth = growth;
    this.scheduler = scheduler;
  }

  /** Counts the smallest initial window of any receiver as granted. */
  void openWindow() {
    limit = Math.max(limit, FrameCodec.MOST_DATA);
  }

  /** Accepts what fits, and consumes it. */
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

  /** Releases everything that is kept. */
  void release() {
    bytes.release();
    growth.release();
  }

  long heldBytes() {
    return bytes.heldBytes();
  }

  /** The chunk that contains a kept octet. */
  Chunk chunk(long offset) {
    return bytes.chunk(offset);
  }

  PipeFlight join(PipeFlight pipe) {
    pipes.values().stream().mapToLong(PipeFlight::share).min().ifPresent(pipe::beginShareAt);
    pipe.cursor(acknowledged);
    pipes.put(pipe.number(), pipe);
    return pipe;
  }

  /** The greatest of the pipes' least round trips; 0 if none was measured. */
  double greatestRoundTripNanos() {
    double greatest = 0;
    for (PipeFlight pipe : pipes.values()) {
      if (pipe.state() == PipeState.ACTIVE && pipe.isRoundTripKnown()) {
        greatest = Math.max(greatest, pipe.leastRoundTripNanos());
      }
    }
    return greatest;
  }

  /** Returns the pipe's flight for retransmission over the others. */
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

  /** A suspected pipe delivers again: what no other pipe has taken stays with it. */
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

  /** Returns the next piece for a pipe that is not writing; null if it must wait. */
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
   * Retransmits the data that delays everything else before new data is sent: it is overdue at
   * another pipe by more than this pipe needs to deliver it. That pipe has too much in flight for
   * its delivery rate, so its window is reduced. MPTCP does the same once its window is full
   * (opportunistic retransmission and penalisation, Raiciu et al., NSDI 2012); here a late piece is
   * retransmitted before it fills the window.
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
   * Retransmits the data that delays everything else if there is nothing else to do: this pipe
   * would deliver it in less than half the time that is expected at another one.
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

  /** The oldest piece of a flight that no other pipe also carries; null if there is none. */
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
   * Duplicate mode: the pipe carries everything from its position on, except what is known to have
   * arrived.
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

  /** The octets from start on, at most to end, or the stream's end. */
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

  /** Length of the direction as far as it is known, including its end. */
  private long total() {
    return end == null ? offered : offered + 1;
  }

  /** First offset that may not be sent; the end needs no window. */
  private long sendable() {
    return offered <= limit ? total() : limit;
  }

  /**
   * Octets that were sent, are not acknowledged by offset, and are neither in a flight nor waiting
   * for retransmission: the receiver has reported that each of them arrived over its pipe.
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
