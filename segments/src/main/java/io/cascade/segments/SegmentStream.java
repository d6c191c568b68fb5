package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stream at one of its two junctions: both directions, and the pipes that carry them. The same
 * at either junction. The caller serialises all calls, writes to each pipe what {@link #next} gives
 * it, and passes in what comes, what breaks and what time it is.
 */
public final class SegmentStream {
  private static final long LINGER_NANOS = 30_000_000_000L;
  private static final long RESET_GRACE_NANOS = 5_000_000_000L;

  private final Settings settings;
  private final Sender sender;
  private final Receiver receiver;
  private final Map<Integer, Pipe> pipes = new LinkedHashMap<>();
  private final List<Dropped> dropped = new ArrayList<>();

  private StreamState state = StreamState.OPENING;
  private long waitingSinceNanos;
  private @Nullable Failure failure;
  private long graceEndsNanos = Long.MAX_VALUE;

  /** Whether the stream was given up here, so that the peer has to be told. */
  private boolean tellReset;

  private long pipesLost;
  private long progressNanos;
  private long longestStallNanos;

  /**
   * How the stream is to behave.
   *
   * @param capacityBytes the most that each direction holds at each junction
   * @param patienceNanos how long the stream may be without any pipe
   */
  public record Settings(int capacityBytes, long patienceNanos, Scheduler scheduler) {
    public Settings {
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
   * A pipe in numbers.
   *
   * @param octetsGiven for the peer, of those that it has told to have come
   * @param octetsPerSecond as estimated
   */
  public record PipeReport(
      int pipe,
      PipeState state,
      long octetsGiven,
      long octetsReceived,
      double octetsPerSecond,
      double roundTripMillis) {}

  public SegmentStream(Settings settings, long nowNanos) {
    this.settings = settings;
    this.sender = new Sender(settings.capacityBytes(), settings.scheduler());
    this.receiver = new Receiver(settings.capacityBytes());
    this.waitingSinceNanos = nowNanos;
  }

  // The junction's own side.

  /** Takes as much as fits, and consumes it; 0 while the stream is full. */
  public int offer(ByteBuffer bytes) {
    return state.over() || sender.ended() != null ? 0 : sender.offer(bytes);
  }

  /** How much would be taken now. */
  public int room() {
    return state.over() ? 0 : sender.room();
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
    if (state.over() || state == StreamState.COMPLETE) {
      return;
    }
    if (state == StreamState.OPENING) {
      fail(new Failure(Reason.LOCAL_RESET, ""), true);
      return;
    }
    if (sender.ended() == Reason.FINISHED) {
      // The end is said already and cannot be unsaid; the reset is.
      fail(new Failure(Reason.LOCAL_RESET, ""), true);
      return;
    }
    sender.end(Reason.LOCAL_RESET);
    receiver.discard();
    graceEndsNanos = Math.min(graceEndsNanos, nowNanos + RESET_GRACE_NANOS);
    checkDone(nowNanos);
  }

  /** Gives the stream up, in both directions, and tells the peer. */
  public void reset(Reason reason, String detail) {
    fail(new Failure(reason, detail), true);
  }

  /** The next octets for the own side, in order; null where none are there. */
  public @Nullable ByteBuffer readable() {
    return receiver.readable();
  }

  /** So many of the next octets were given to the own side. */
  public void delivered(int octets, long nowNanos) {
    receiver.delivered(octets);
    if (receiver.windowNews()) {
      pipes.values().forEach(pipe -> pipe.acknowledge = true);
      receiver.announced();
    }
    checkDone(nowNanos);
  }

  /**
   * How the peer's side ended, once all that preceded has been delivered; null before. {@link
   * Reason#FINISHED} is a clean end; otherwise the own side is to be reset.
   */
  public @Nullable Reason endReached() {
    return receiver.endReached();
  }

  // Pipes.

  /**
   * A pipe has been introduced and accepted.
   *
   * @param number never used before in this stream
   * @param weight share under {@link Scheduler#WEIGHTED}, greater than 0
   * @param roundTripNanos as the introduction took
   */
  public void join(int number, double weight, long roundTripNanos, long nowNanos) {
    if (pipes.containsKey(number)) {
      throw new IllegalArgumentException("pipe " + number + " is there");
    }
    if (state.over()) {
      return;
    }
    PipeFlight flight = sender.join(new PipeFlight(number, weight, Math.max(1, roundTripNanos)));
    pipes.put(number, new Pipe(flight, nowNanos));
    state = state.on(StreamState.Event.PIPE_JOINED);
    receiver.announced();
  }

  /** The pipe's connection broke or was reset. */
  public void lost(int number, long nowNanos) {
    Pipe pipe = pipes.remove(number);
    if (pipe == null) {
      return;
    }
    if (needsPeer() && !state.over()) {
      pipesLost++;
    }
    sender.lost(pipe.flight);
    if (pipes.isEmpty()) {
      waitingSinceNanos = nowNanos;
      state = state.on(StreamState.Event.LAST_PIPE_LOST);
    } else {
      // What was acknowledged over it may not have arrived.
      pipes.values().forEach(other -> other.acknowledge = true);
    }
  }

  /**
   * The peer has ended the pipe cleanly, as it does once the stream is complete at its side.
   *
   * @return whether that is right; otherwise the pipe is lost, and the caller resets its connection
   */
  public boolean ended(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null) {
      return state.over();
    }
    if (!needsPeer()) {
      pipe.peerEnded = true;
      checkDone(nowNanos);
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
    if (pipe == null || state.over()) {
      return;
    }
    if (pipe.flight.state() == PipeState.SUSPECT) {
      sender.revived(pipe.flight);
    }
    pipe.heardNanos = nowNanos;
    try {
      received(pipe, frame, nowNanos);
    } catch (ProtocolViolation e) {
      violated(e);
    }
    checkDone(nowNanos);
  }

  /** Something came over a pipe that breaks the protocol. */
  public void violated(ProtocolViolation violation) {
    fail(new Failure(violation.reason(), String.valueOf(violation.getMessage())), true);
  }

  private void received(Pipe pipe, Frame frame, long nowNanos) throws ProtocolViolation {
    switch (frame) {
      case Frame.Data data -> {
        int octets = data.bytes().remaining();
        receiver.take(data);
        arrived(pipe, octets);
      }
      case Frame.End end -> {
        receiver.takeEnd(end);
        arrived(pipe, 1);
      }
      case Frame.Acknowledgement acknowledgement -> acknowledged(pipe, acknowledgement, nowNanos);
      case Frame.Probe(long probe) -> {
        pipe.echo = probe;
        pipe.echoDue = true;
      }
      case Frame.Echo(long probe) -> {
        if (probe == pipe.probes && pipe.probeOpen) {
          pipe.probeOpen = false;
          pipe.flight.echoed(nowNanos - pipe.probedNanos);
        }
      }
      case Frame.Reset(Reason reason, String detail) -> fail(new Failure(reason, detail), false);
      case Frame.Challenge _, Frame.Introduction _, Frame.Acceptance _, Frame.Refusal _ ->
          throw new ProtocolViolation(
              Reason.UNEXPECTED_FRAME, frame.getClass().getSimpleName() + " on a pipe in use");
    }
  }

  private static void arrived(Pipe pipe, int octets) {
    pipe.received += octets;
    pipe.acknowledge = true;
  }

  private void acknowledged(Pipe pipe, Frame.Acknowledgement frame, long nowNanos)
      throws ProtocolViolation {
    long before = sender.acknowledged();
    sender.acknowledged(pipe.flight, frame, nowNanos);
    if (sender.acknowledged() > before) {
      longestStallNanos = Math.max(longestStallNanos, nowNanos - progressNanos);
      progressNanos = nowNanos;
    }
  }

  /**
   * What to write to a pipe next. The caller writes it before it asks again, and tells {@link
   * #writing} when it begins and ends.
   *
   * @return null where nothing is to be written now
   */
  public @Nullable Frame next(int number, long nowNanos) {
    Pipe pipe = pipes.get(number);
    if (pipe == null || state == StreamState.CLOSED) {
      return null;
    }
    if (state == StreamState.RESET) {
      return resetFrame(pipe);
    }
    if (pipe.acknowledge) {
      pipe.acknowledge = false;
      receiver.announced();
      return new Frame.Acknowledgement(receiver.received(), receiver.limit(), pipe.received);
    }
    if (pipe.echoDue) {
      pipe.echoDue = false;
      return new Frame.Echo(pipe.echo);
    }
    if (pipe.probeDue) {
      pipe.probeDue = false;
      pipe.probeOpen = true;
      pipe.probedNanos = nowNanos;
      return new Frame.Probe(++pipe.probes);
    }
    boolean idle = !sender.isOutstanding();
    Frame piece = sender.next(pipe.flight, nowNanos);
    if (idle && piece != null) {
      progressNanos = nowNanos;
    }
    return piece;
  }

  private @Nullable Frame resetFrame(Pipe pipe) {
    if (!tellReset || pipe.resetTold) {
      return null;
    }
    pipe.resetTold = true;
    Failure known = Objects.requireNonNull(failure);
    return new Frame.Reset(known.reason(), known.detail());
  }

  /** A frame's octets are being handed to the pipe's connection, or are not any more. */
  public void writing(int number, boolean now) {
    Pipe pipe = pipes.get(number);
    if (pipe != null) {
      pipe.flight.writing(now);
    }
  }

  /** Whether nothing more will be written to the pipe, so that its output may be ended cleanly. */
  public boolean finished(int number) {
    Pipe pipe = pipes.get(number);
    if (pipe == null) {
      return false;
    }
    return switch (state) {
      case COMPLETE -> !pipe.acknowledge && !pipe.echoDue;
      case CLOSED -> true;
      case RESET -> !tellReset || pipe.resetTold;
      default -> false;
    };
  }

  /** Pipes that were given up since this was last asked. */
  public List<Dropped> dropped() {
    List<Dropped> pipesGivenUp = List.copyOf(dropped);
    dropped.clear();
    return pipesGivenUp;
  }

  // Time.

  /**
   * Does what is due.
   *
   * @return when to call again at the latest
   */
  public long onTime(long nowNanos) {
    if (state.over()) {
      return Long.MAX_VALUE;
    }
    if (nowNanos - graceEndsNanos >= 0 && graceEndsNanos != Long.MAX_VALUE) {
      fail(new Failure(Reason.LOCAL_RESET, ""), true);
      return Long.MAX_VALUE;
    }
    long due = graceEndsNanos;
    for (Pipe pipe : List.copyOf(pipes.values())) {
      due = Math.min(due, onTime(pipe, nowNanos));
    }
    if (pipes.isEmpty() && (state == StreamState.COMPLETE || needsPeer())) {
      long patience =
          state == StreamState.COMPLETE
              ? Math.min(LINGER_NANOS, settings.patienceNanos())
              : settings.patienceNanos();
      if (nowNanos - waitingSinceNanos >= patience) {
        patienceOver();
        return Long.MAX_VALUE;
      }
      due = Math.min(due, waitingSinceNanos + patience);
    }
    return due;
  }

  private long onTime(Pipe pipe, long nowNanos) {
    if (pipe.peerEnded) {
      return Long.MAX_VALUE;
    }
    PipeFlight flight = pipe.flight;
    if (nowNanos - pipe.heardNanos >= Pipe.DEAD_NANOS) {
      dropped.add(
          new Dropped(
              flight.number(), "silent for %d s".formatted(Pipe.DEAD_NANOS / 1_000_000_000)));
      lost(flight.number(), nowNanos);
      return Long.MAX_VALUE;
    }
    long overdueAt = flight.state() == PipeState.ACTIVE ? flight.overdueAtNanos() : Long.MAX_VALUE;
    if (nowNanos >= overdueAt) {
      sender.overdue(flight);
      pipe.probeDue = !pipe.probeOpen;
      overdueAt = Long.MAX_VALUE;
    }
    long probeAt = pipe.heardNanos + Pipe.PROBE_NANOS;
    if (!pipe.probeOpen && nowNanos >= probeAt) {
      pipe.probeDue = true;
    }
    return Math.min(
        Math.min(overdueAt, pipe.heardNanos + Pipe.DEAD_NANOS),
        nowNanos >= probeAt ? Long.MAX_VALUE : probeAt);
  }

  private void patienceOver() {
    boolean complete = state == StreamState.COMPLETE;
    state = state.on(StreamState.Event.PATIENCE_OVER);
    if (!complete) {
      failure =
          new Failure(
              Reason.STRANDED, "for %d s".formatted(settings.patienceNanos() / 1_000_000_000));
    }
  }

  private void checkDone(long nowNanos) {
    if (state.over() || state == StreamState.OPENING || !sender.allAcknowledged()) {
      return;
    }
    if (sender.ended() != Reason.FINISHED) {
      fail(new Failure(Reason.LOCAL_RESET, ""), true); // The peer has all that was to reach it.
      return;
    }
    if (receiver.endReached() == Reason.FINISHED && state != StreamState.COMPLETE) {
      state = state.on(StreamState.Event.ALL_DONE);
      // So that the end of any pipe tells the peer that everything has come.
      pipes.values().forEach(pipe -> pipe.acknowledge = true);
      if (pipes.isEmpty()) {
        waitingSinceNanos = nowNanos;
      }
    }
    if (state == StreamState.COMPLETE && pipes.values().stream().anyMatch(pipe -> pipe.peerEnded)) {
      state = state.on(StreamState.Event.PEER_DONE);
    }
  }

  private void fail(Failure why, boolean tell) {
    if (state.over()) {
      return;
    }
    state = state.on(StreamState.Event.FAILED);
    if (state == StreamState.RESET) {
      failure = why;
      tellReset = tell;
    }
  }

  // What can be seen.

  public StreamState state() {
    return state;
  }

  public boolean over() {
    return state.over();
  }

  /** Why the stream was reset; null where it was not. */
  public @Nullable Failure failure() {
    return failure;
  }

  public boolean hasPipes() {
    return !pipes.isEmpty();
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
    return longestStallNanos;
  }

  /** Memory that both directions use here. */
  public long heldBytes() {
    return sender.heldBytes() + receiver.heldBytes();
  }

  public List<PipeReport> pipeReports() {
    return pipes.values().stream()
        .map(pipe ->
            new PipeReport(
                pipe.flight.number(),
                pipe.flight.state(),
                pipe.flight.arrivedOctets(),
                pipe.received,
                pipe.flight.rate() * 1e9,
                pipe.flight.roundTripNanos() / 1e6))
        .toList();
  }

  /** For tests of this package. */
  Sender sender() {
    return sender;
  }

  Receiver receiver() {
    return receiver;
  }

  /** One pipe, in both directions. */
  private static final class Pipe {
    /** A pipe over which nothing came for so long is asked. */
    private static final long PROBE_NANOS = 3_000_000_000L;

    /** A pipe over which nothing came for so long, although asked, is given up. */
    private static final long DEAD_NANOS = 12_000_000_000L;

    private final PipeFlight flight;
    private long heardNanos;
    private long received;
    private boolean acknowledge = true;
    private boolean echoDue;
    private long echo;
    private boolean probeDue;
    private boolean probeOpen;
    private long probes;
    private long probedNanos;
    private boolean resetTold;
    private boolean peerEnded;

    private Pipe(PipeFlight flight, long nowNanos) {
      this.flight = flight;
      this.heardNanos = nowNanos;
    }
  }
}
