package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its two junctions: both directions, and the pipes that carry them. Both
 * junctions use this class. The caller serialises all calls, writes to each pipe what {@link #next}
 * returns, and passes in arrivals, failures and the time.
 */
public final class SegmentStream {
  private final Sender sender;
  private final Receiver receiver;
  private final Pipes pipes = new Pipes();
  private final Lifecycle life;

  private long pipesLost;

  /**
   * Settings of a stream.
   *
   * @param capacityBytes initial bound on what each direction holds at each junction
   * @param mostBytes bound up to which that grows while it limits the rate
   * @param allowance for that growth
   * @param patienceNanos longest time without any pipe
   */
  public record Settings(
      int capacityBytes,
      int mostBytes,
      WindowAllowance allowance,
      long patienceNanos,
      Scheduler scheduler) {
    /** Settings of a stream whose windows do not grow. */
    public Settings(int capacityBytes, long patienceNanos, Scheduler scheduler) {
      this(capacityBytes, capacityBytes, WindowAllowance.unlimited(), patienceNanos, scheduler);
    }

    public Settings {
      if (mostBytes < capacityBytes) {
        throw new IllegalArgumentException(
            "most: %d (expected: >= %d)".formatted(mostBytes, capacityBytes));
      }
      if (capacityBytes < FrameCodec.MOST_DATA) {
        throw new IllegalArgumentException(
            "capacity: %d (expected: >= %d)".formatted(capacityBytes, FrameCodec.MOST_DATA));
      }
    }
  }

  /** Reason for which a stream was reset. */
  public record Failure(Reason reason, String detail) {
    @Override
    public String toString() {
      return detail.isEmpty() ? reason.words() : reason.words() + ": " + detail;
    }
  }

  /** A pipe that the stream has dropped, whose connection the caller must reset. */
  public record Dropped(int pipe, String why) {}

  /**
   * @param memory of both windows, which {@link #release} returns at the latest
   */
  public SegmentStream(Settings settings, ChunkMemory memory, long nowNanos) {
    this.sender = new Sender(new WindowGrowth(settings, nowNanos), settings.scheduler(), memory);
    this.receiver = new Receiver(new WindowGrowth(settings, nowNanos), memory);
    this.life = new Lifecycle(settings.patienceNanos(), nowNanos);
  }

  /**
   * Counts the first {@value FrameCodec#MOST_DATA} octets as granted before the peer has granted
   * any, as junctions do that begin pipes with {@link Frame.PipeStart}.
   */
  public void openWindow() {
    sender.openWindow();
  }

  /**
   * Bounds what is granted to the peer beyond the delivered octets from now on; earlier grants stay
   * valid.
   */
  public void grantAtMost(int octets) {
    receiver.grantAtMost(octets);
  }

  // The junction's own side.

  /** Accepts as much as fits, and consumes it; 0 while the stream is full. */
  public int offer(ByteBuffer bytes) {
    return over() || sender.ended() != null ? 0 : sender.offer(bytes);
  }

  /** Number of octets that would be accepted now. */
  public int room() {
    return over() ? 0 : sender.room();
  }

  /** The own side has ended its output. */
  public void end(long nowNanos) {
    sender.end(Reason.FINISHED);
    checkDone(nowNanos);
  }

  /**
   * The own side was reset. What it had sent before is still sent to the peer for some seconds,
   * then the peer resets its side; what arrives for the own side is discarded.
   */
  public void localReset(long nowNanos) {
    if (over() || state() == StreamState.COMPLETE) {
      return;
    }
    if (state() == StreamState.OPENING || sender.ended() == Reason.FINISHED) {
      // An end that was sent cannot be withdrawn; only a reset can follow.
      reset(Reason.LOCAL_RESET, "");
      return;
    }
    sender.end(Reason.LOCAL_RESET);
    receiver.discard();
    life.beginGrace(nowNanos);
    checkDone(nowNanos);
  }

  /** Resets the stream, in both directions, and tells the peer. */
  public void reset(Reason reason, String detail) {
    life.fail(new Failure(reason, detail), true);
  }

  /** The next octets for the own side, in order; null if there are none, or the stream is over. */
  public @Nullable ByteBuffer readable() {
    return over() ? null : receiver.readable();
  }

  /**
   * The chunk that contains the octets of {@link #readable}, for a caller that shares its memory
   * instead of copying it.
   */
  public ChunkMemory.Chunk readableChunk() {
    return receiver.chunk(receiver.delivered());
  }

  /** Records that the next {@code octets} were delivered to the own side. */
  public void delivered(int octets, long nowNanos) {
    receiver.delivered(octets);
    receiver.grow(sender.greatestRoundTripNanos(), nowNanos);
    if (receiver.windowNews()) {
      pipes.acknowledgeOnAll();
      receiver.announced();
    }
    checkDone(nowNanos);
  }

  /**
   * Reason for which the peer's side ended, once everything before was delivered; null before that.
   * {@link Reason#FINISHED} is a clean end; for any other the own side must be reset.
   */
  public @Nullable Reason endReached() {
    return receiver.endReached();
  }

  // Pipes.

  /**
   * A pipe has been introduced and accepted.
   *
   * @param number never used before in this stream
   * @param roundTripNanos time that the introduction took; 0 if unknown
   */
  public void join(int number, long roundTripNanos, long nowNanos) {
    pipes.requireNew(number);
    if (over()) {
      return;
    }
    PipeFlight flight = sender.join(new PipeFlight(number, roundTripNanos));
    pipes.add(new Pipe(flight, nowNanos));
    life.on(StreamState.Event.PIPE_JOINED);
    receiver.announced();
  }

  /**
   * Stops using a pipe. It carries no more data at either junction, ends cleanly once everything on
   * it has arrived, and then {@link #left} is called. The last pipe that carries the stream stays.
   *
   * @return whether it is withdrawn
   */
  public boolean withdraw(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null || over() || !pipes.hasOtherThan(pipe)) {
      return false;
    }
    pipe.withdraw(nowNanos);
    return true;
  }

  /** Both directions of a withdrawn pipe have ended. */
  public void left(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe != null && pipe.isLeaving()) {
      lost(number, nowNanos);
    }
  }

  /** The pipe's connection failed or was reset. */
  public void lost(int number, long nowNanos) {
    Pipe pipe = pipes.remove(number);
    if (pipe == null) {
      return;
    }
    if (needsPeer() && !over() && !(pipe.isPeerEnded() && pipe.isIdleAndLeaving())) {
      pipesLost++;
    }
    sender.lost(pipe.flight());
    if (pipes.isEmpty()) {
      life.waitForPipe(nowNanos);
      life.on(StreamState.Event.LAST_PIPE_LOST);
    } else {
      // Acknowledgements that were sent over it may not have arrived.
      pipes.acknowledgeOnAll();
    }
  }

  /**
   * The peer has ended the pipe cleanly, which is allowed once the stream is complete at its side,
   * or if the pipe was withdrawn.
   *
   * @return whether that is allowed; otherwise the pipe is lost, and the caller resets its
   *     connection
   */
  public boolean ended(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null) {
      return over();
    }
    if (!needsPeer()) {
      pipe.peerEnded();
      checkDone(nowNanos);
      return true;
    }
    if (pipe.isIdleAndLeaving()) {
      pipe.peerEnded();
      return true;
    }
    lost(number, nowNanos);
    return false;
  }

  /** Whether anything must still arrive from the peer, including acknowledgements. */
  private boolean needsPeer() {
    return !sender.allAcknowledged() || !receiver.isWhole();
  }

  /** A frame arrived over a pipe. */
  public void received(int number, Frame frame, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null || over()) {
      return;
    }
    if (pipe.flight().state() == PipeState.SUSPECT) {
      sender.revived(pipe.flight());
    }
    pipe.heard(nowNanos);
    try {
      received(pipe, frame, nowNanos);
    } catch (ProtocolViolation e) {
      violated(e);
    }
    checkDone(nowNanos);
  }

  /** Octets that violate the protocol arrived over a pipe. */
  public void violated(ProtocolViolation violation) {
    reset(violation.reason(), String.valueOf(violation.getMessage()));
  }

  private void received(Pipe pipe, Frame frame, long nowNanos) throws ProtocolViolation {
    switch (frame) {
      case Frame.Data data -> {
        int octets = data.bytes().remaining();
        receiver.take(data);
        pipe.arrived(octets);
      }
      case Frame.End end -> {
        receiver.takeEnd(end);
        pipe.arrived(1);
      }
      case Frame.Acknowledgement acknowledgement ->
          sender.acknowledged(pipe.flight(), acknowledgement, nowNanos);
      case Frame.Probe(long probe) -> pipe.probed(probe);
      case Frame.Echo(long probe) -> pipe.echoed(probe, nowNanos);
      case Frame.Withdrawal() -> pipe.peerWithdraws(nowNanos);
      case Frame.Reset(Reason reason, String detail) ->
          life.fail(new Failure(reason, detail), false);
      case Frame.Challenge _,
          Frame.Introduction _,
          Frame.Acceptance _,
          Frame.Refusal _,
          Frame.PipeStart _ ->
          throw new ProtocolViolation(
              Reason.UNEXPECTED_FRAME, frame.getClass().getSimpleName() + " on a pipe in use");
    }
  }

  /**
   * Returns the next frame to write to a pipe. The caller writes it before the next call, and calls
   * {@link #writing} when the write begins and ends.
   *
   * @return null if nothing is to be written now
   */
  public @Nullable Frame next(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null || state() == StreamState.CLOSED) {
      return null;
    }
    if (state() == StreamState.RESET) {
      return pipe.nextReset(life.failureToTell());
    }
    Frame control = pipe.nextControl(receiver, nowNanos);
    return control != null ? control : sender.next(pipe.flight(), nowNanos);
  }

  /** The chunk that contains the octets of the data frame that {@link #next} has just returned. */
  public ChunkMemory.Chunk chunk(Frame.Data data) {
    return sender.chunk(data.offset());
  }

  /** Records whether a frame's octets are being written to the pipe's connection. */
  public void writing(int number, boolean now) {
    Pipe pipe = pipes.get(number);
    if (pipe != null) {
      pipe.flight().writing(now);
    }
  }

  /** Whether nothing more will be written to the pipe, so that its output may be ended cleanly. */
  public boolean finished(int number) {
    Pipe pipe = pipes.get(number);
    if (pipe == null) {
      return false;
    }
    return switch (state()) {
      case COMPLETE -> !pipe.owesAnswer();
      case CLOSED -> true;
      case RESET -> life.failureToTell() == null || pipe.resetTold();
      default -> pipe.mayEnd();
    };
  }

  /** Pipes that were dropped since the last call. */
  public List<Dropped> dropped() {
    return pipes.takeDropped();
  }

  // Time.

  /**
   * Runs what is due.
   *
   * @return when to call again at the latest
   */
  public long onTime(long nowNanos) {
    if (over()) {
      return Long.MAX_VALUE;
    }
    if (life.graceOver(nowNanos)) {
      reset(Reason.LOCAL_RESET, "");
      return Long.MAX_VALUE;
    }
    long due = life.graceEndsNanos();
    for (Pipe pipe : pipes.all()) {
      String obituary = pipe.obituary(nowNanos);
      if (obituary != null) {
        pipes.drop(pipe, obituary);
        lost(pipe.number(), nowNanos);
      } else {
        due = Math.min(due, pipe.onTime(sender, nowNanos));
      }
    }
    if (pipes.isEmpty() && (state() == StreamState.COMPLETE || needsPeer())) {
      due = Math.min(due, life.checkPatience(nowNanos));
    }
    return over() ? Long.MAX_VALUE : due;
  }

  private void checkDone(long nowNanos) {
    if (over() || state() == StreamState.OPENING || !sender.allAcknowledged()) {
      return;
    }
    if (sender.ended() != Reason.FINISHED) {
      reset(Reason.LOCAL_RESET, ""); // The peer has received everything it was to receive.
      return;
    }
    if (receiver.endReached() == Reason.FINISHED && state() != StreamState.COMPLETE) {
      life.on(StreamState.Event.ALL_DONE);
      // So that the end of any pipe shows the peer that everything has arrived.
      pipes.acknowledgeOnAll();
      if (pipes.isEmpty()) {
        life.waitForPipe(nowNanos);
      }
    }
    if (state() == StreamState.COMPLETE && pipes.anyEndedByPeer()) {
      life.on(StreamState.Event.PEER_DONE);
    }
  }

  // State and counts.

  public StreamState state() {
    return life.state();
  }

  public boolean over() {
    return life.over();
  }

  /** Reason for which the stream was reset; null if it was not. */
  public @Nullable Failure failure() {
    return life.failure();
  }

  /** Whether the own side has ended and the peer has acknowledged everything, including the end. */
  public boolean endAcknowledged() {
    return sender.allAcknowledged();
  }

  /** Octets of the own side that the peer has acknowledged. */
  public long acknowledged() {
    return sender.acknowledged();
  }

  /** Octets that were delivered to the own side. */
  public long deliveredOctets() {
    return receiver.delivered();
  }

  /** Octets that were retransmitted. */
  public long sentAgain() {
    return sender.sentAgain();
  }

  public long pipesLost() {
    return pipesLost;
  }

  /**
   * The longest time in which data was in flight and no acknowledgement advanced. If the peer does
   * not read, no data is in flight.
   */
  public long longestStallNanos() {
    return sender.longestStallNanos();
  }

  /** Returns the memory of a stream that is over. */
  public void release() {
    if (!over()) {
      throw new IllegalStateException("the stream goes on");
    }
    sender.release();
    receiver.release();
  }

  /** Memory that both directions use here. */
  public long heldBytes() {
    return sender.heldBytes() + receiver.heldBytes();
  }

  /** Trust in a pipe; {@link PipeState#GONE} if the stream no longer has it. */
  public PipeState pipeState(int number) {
    Pipe pipe = pipes.get(number);
    return pipe == null ? PipeState.GONE : pipe.flight().state();
  }

  /** Measurements of a pipe; null if the stream no longer has it. */
  public @Nullable PipeReport pipeReport(int number) {
    Pipe pipe = pipes.get(number);
    return pipe == null ? null : pipe.report();
  }

  /** Gives tests of this package access. */
  Sender sender() {
    return sender;
  }

  Receiver receiver() {
    return receiver;
  }
}
