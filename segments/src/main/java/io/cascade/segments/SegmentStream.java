package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its two junctions: both directions, and the pipes that carry them. The same
 * at either junction. The caller serialises all calls, writes to each pipe what {@link #next} gives
 * it, and passes in what comes, what breaks and what time it is.
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
   * @param capacityBytes the most that each direction holds at each junction at first
   * @param mostBytes the most to which that grows while it limits the rate
   * @param allowance for that growth
   * @param patienceNanos how long the stream may be without any pipe
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

  /** Why a stream was reset. */
  public record Failure(Reason reason, String detail) {
    @Override
    public String toString() {
      return detail.isEmpty() ? reason.words() : reason.words() + ": " + detail;
    }
  }

  /** A pipe that the stream has given up, whose connection the caller is to reset. */
  public record Dropped(int pipe, String why) {}

  /**
   * @param memory of both windows, which goes back at the latest with {@link #release}
   */
  public SegmentStream(Settings settings, ChunkMemory memory, long nowNanos) {
    this.sender = new Sender(new WindowGrowth(settings, nowNanos), settings.scheduler(), memory);
    this.receiver = new Receiver(new WindowGrowth(settings, nowNanos), memory);
    this.life = new Lifecycle(settings.patienceNanos(), nowNanos);
  }

  /**
   * Counts the first {@value FrameCodec#MOST_DATA} octets as granted before the peer has said so,
   * as it is between junctions that begin pipes with {@link Frame.PipeStart}.
   */
  public void openWindow() {
    sender.openWindow();
  }

  /**
   * Grants the peer no more than so many octets beyond what was delivered from now on; what was
   * granted before stays granted.
   */
  public void grantAtMost(int octets) {
    receiver.grantAtMost(octets);
  }

  // The junction's own side.

  /** Takes as much as fits, and consumes it; 0 while the stream is full. */
  public int offer(ByteBuffer bytes) {
    return over() || sender.ended() != null ? 0 : sender.offer(bytes);
  }

  /** Number of octets that would be taken now. */
  public int room() {
    return over() ? 0 : sender.room();
  }

  /** The own side has ended its output. */
  public void end(long nowNanos) {
    sender.end(Reason.FINISHED);
    checkDone(nowNanos);
  }

  /**
   * The own side was reset. What it had sent before still goes to the peer, for some seconds, then
   * the peer resets its side; what comes for the own side is dropped.
   */
  public void localReset(long nowNanos) {
    if (over() || state() == StreamState.COMPLETE) {
      return;
    }
    if (state() == StreamState.OPENING || sender.ended() == Reason.FINISHED) {
      // An end that is said already cannot be unsaid; the reset is.
      reset(Reason.LOCAL_RESET, "");
      return;
    }
    sender.end(Reason.LOCAL_RESET);
    receiver.discard();
    life.beginGrace(nowNanos);
    checkDone(nowNanos);
  }

  /** Gives the stream up, in both directions, and tells the peer. */
  public void reset(Reason reason, String detail) {
    life.fail(new Failure(reason, detail), true);
  }

  /** The next octets for the own side, in order; null where none are there, or it is over. */
  public @Nullable ByteBuffer readable() {
    return over() ? null : receiver.readable();
  }

  /**
   * The chunk in which the octets of {@link #readable} lie, for a caller that shares its memory
   * instead of copying it.
   */
  public ChunkMemory.Chunk readableChunk() {
    return receiver.chunk(receiver.delivered());
  }

  /** Notes that the next {@code octets} were delivered to the own side. */
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
   * Reason for which the peer's side ended, once all that preceded has been delivered; null before.
   * {@link Reason#FINISHED} is a clean end; otherwise the own side is to be reset.
   */
  public @Nullable Reason endReached() {
    return receiver.endReached();
  }

  // Pipes.

  /**
   * A pipe has been introduced and accepted.
   *
   * @param number never used before in this stream
   * @param roundTripNanos as the introduction took; 0 where that is not known
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
   * Does without a pipe from now on. It gets no more data at either junction, ends cleanly once
   * everything on it has arrived, and is then {@link #left}. The last pipe that carries stays.
   *
   * @return whether it leaves
   */
  public boolean withdraw(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null || over() || !pipes.hasOtherThan(pipe)) {
      return false;
    }
    pipe.withdraw(nowNanos);
    return true;
  }

  /** Both directions of a pipe that was withdrawn have ended. */
  public void left(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe != null && pipe.isLeaving()) {
      lost(number, nowNanos);
    }
  }

  /** The pipe's connection broke or was reset. */
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
      // What was acknowledged over it may not have arrived.
      pipes.acknowledgeOnAll();
    }
  }

  /**
   * The peer has ended the pipe cleanly, as it does once the stream is complete at its side, or
   * where the pipe was withdrawn.
   *
   * @return whether that is right; otherwise the pipe is lost, and the caller resets its connection
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

  /** Whether something is still to come from the peer, an acknowledgement included. */
  private boolean needsPeer() {
    return !sender.allAcknowledged() || !receiver.isWhole();
  }

  /** A frame came over a pipe. */
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

  /** Something came over a pipe that breaks the protocol. */
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
   * Returns the next frame to write to a pipe. The caller writes it before it asks again, and tells
   * {@link #writing} when it begins and ends.
   *
   * @return null where nothing is to be written now
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

  /** The chunk in which the octets of a data frame lie that {@link #next} has just given. */
  public ChunkMemory.Chunk chunk(Frame.Data data) {
    return sender.chunk(data.offset());
  }

  /** A frame's octets are being handed to the pipe's connection, or are not any more. */
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

  /** Pipes that were given up since this was last asked. */
  public List<Dropped> dropped() {
    return pipes.takeDropped();
  }

  // Time.

  /**
   * Does what is due.
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
      reset(Reason.LOCAL_RESET, ""); // The peer has all that was to reach it.
      return;
    }
    if (receiver.endReached() == Reason.FINISHED && state() != StreamState.COMPLETE) {
      life.on(StreamState.Event.ALL_DONE);
      // So that the end of any pipe tells the peer that everything has come.
      pipes.acknowledgeOnAll();
      if (pipes.isEmpty()) {
        life.waitForPipe(nowNanos);
      }
    }
    if (state() == StreamState.COMPLETE && pipes.anyEndedByPeer()) {
      life.on(StreamState.Event.PEER_DONE);
    }
  }

  // What can be seen.

  public StreamState state() {
    return life.state();
  }

  public boolean over() {
    return life.over();
  }

  /** Why the stream was reset; null where it was not. */
  public @Nullable Failure failure() {
    return life.failure();
  }

  /** Whether the own side has ended and the peer has everything, the end included. */
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

  /** Octets that were sent more than once. */
  public long sentAgain() {
    return sender.sentAgain();
  }

  public long pipesLost() {
    return pipesLost;
  }

  /**
   * The longest time in which something was on its way and no acknowledgement moved on. A peer that
   * does not read leaves nothing on its way.
   */
  public long longestStallNanos() {
    return sender.longestStallNanos();
  }

  /** Gives the memory of a stream that is over back. */
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

  /** Trust in a pipe; {@link PipeState#GONE} where it is not here any more. */
  public PipeState pipeState(int number) {
    Pipe pipe = pipes.get(number);
    return pipe == null ? PipeState.GONE : pipe.flight().state();
  }

  /** A pipe in numbers; null where it is not here any more. */
  public @Nullable PipeReport pipeReport(int number) {
    Pipe pipe = pipes.get(number);
    return pipe == null ? null : pipe.report();
  }

  /** Lets tests of this package look inside. */
  Sender sender() {
    return sender;
  }

  Receiver receiver() {
    return receiver;
  }
}
