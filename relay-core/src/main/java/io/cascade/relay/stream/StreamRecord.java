package io.cascade.relay.stream;

import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.pump.Account;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Pump;
import io.cascade.relay.pump.Stall;
import io.cascade.relay.pump.Stalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of a stream: its times and counts, and its report. Written on the stream's event loop,
 * read from any thread. A superclass of the stream instead of a separate object, since every idle
 * stream has one.
 */
abstract sealed class StreamRecord permits RelayStream {
  static final LongSupplier NANO_TIME = System::nanoTime;

  /** Least bytes of a stream whose kernel counters are read at its end. */
  private static final long WORTH_COUNTING_BYTES = 64 << 10;

  private static final DirectionReport NO_DIRECTION =
      DirectionReport.builder()
          .bytesIn(0L)
          .bytesOut(0L)
          .heldBytes(0L)
          .peakHeldBytes(0L)
          .finished(false)
          .splicedBytes(0L)
          .build();

  private final StreamStart start;
  private final long openedAtMillis; // an Instant would be another object per stream
  private final long openedNanos = NANO_TIME.getAsLong();
  private volatile long firstByteNanos = -1;
  private volatile long answeredNanos = -1;
  private volatile long endedNanos;
  private volatile TcpTotals inletPast = TcpTotals.NONE;
  private volatile TcpTotals onwardPast = TcpTotals.NONE;

  /**
   * @param openedAtMillis since 1970
   */
  StreamRecord(StreamStart start, long openedAtMillis) {
    this.start = start;
    this.openedAtMillis = openedAtMillis;
  }

  /** Pump of a direction; null before it is made. */
  abstract @Nullable Pump pump(Direction direction);

  /** Connection of a side; null before it is made. */
  abstract @Nullable Connection connection(Side side);

  abstract boolean isEnded();

  /** Reason of its end; null until it ends. */
  abstract @Nullable CloseReason reason();

  /** The stream's target, for messages. */
  abstract String target();

  /** Whether its onward connection was a warm one. */
  abstract boolean isWarm();

  public StreamStart start() {
    return start;
  }

  /** Time of its beginning, by {@link System#nanoTime}. */
  long openedNanos() {
    return openedNanos;
  }

  /** The first byte of a direction was passed on. */
  void noteFirstByte(Direction direction) {
    long nanos = NANO_TIME.getAsLong() - openedNanos;
    if (direction == Direction.FORWARD) {
      firstByteNanos = nanos;
    } else {
      answeredNanos = nanos;
    }
  }

  /** Records the time of the end and the kernel's counts, before connections are closed. */
  void noteEnd() {
    endedNanos = NANO_TIME.getAsLong();
    keepCounts(Side.INLET);
    keepCounts(Side.ONWARD);
  }

  /** Saves the kernel's counts of a side's connection that is about to be closed. */
  void keepCounts(Side side) {
    if (bytesOut(Direction.FORWARD) + bytesOut(Direction.BACKWARD) < WORTH_COUNTING_BYTES) {
      return;
    }
    TcpTotals past = tcp(side).past();
    if (side == Side.INLET) {
      inletPast = past;
    } else {
      onwardPast = past;
    }
  }

  /** Reports the stream as seen by this relay so far. May be called from any thread. */
  public StreamReport report() {
    CloseReason why = reason();
    boolean ended = isEnded();
    long lasted = (ended ? endedNanos : NANO_TIME.getAsLong()) - openedNanos;
    StreamState shown =
        !ended
            ? StreamState.RUNNING
            : why instanceof CloseReason.Completed ? StreamState.COMPLETED : StreamState.FAILED;
    long first = firstByteNanos;
    return StreamReport.builder()
        .streamId(start.id())
        .state(shown)
        .openedAt(Instant.ofEpochMilli(openedAtMillis))
        .durationMillis(lasted / 1e6)
        .firstByteMillis(first < 0 ? null : first / 1e6)
        .client(start.client().getHostString() + ":" + start.client().getPort())
        .onward(target())
        .warm(isWarm())
        .forward(report(pump(Direction.FORWARD)))
        .backward(report(pump(Direction.BACKWARD)))
        .reason(why == null ? null : why.code())
        .detail(why == null || why.detail().isEmpty() ? null : why.detail())
        .pipes(pipes())
        .build();
  }

  private @Nullable List<PipeTotals> pipes() {
    List<PipeTotals> pipes = new ArrayList<>();
    for (Side side : Side.values()) {
      Connection connection = connection(side);
      PipedConnection piped =
          connection == null ? null : connection.attr(PipedConnection.PIPES).get();
      if (piped != null) {
        pipes.addAll(piped.pipes());
      }
    }
    return pipes.isEmpty() ? null : pipes;
  }

  private static DirectionReport report(@Nullable Pump pump) {
    if (pump == null) {
      return NO_DIRECTION;
    }
    Account account = pump.account();
    return DirectionReport.builder()
        .bytesIn(account.bytesIn())
        .bytesOut(account.bytesOut())
        .heldBytes(account.heldBytes())
        .peakHeldBytes(account.peakHeldBytes())
        .finished(pump.isFinished())
        .splicedBytes(account.splicedBytes())
        .stalls(document(account.waited()))
        .build();
  }

  /** Converts waiting times to the contract's record. */
  public static io.cascade.api.orchestrator.Stalls document(Stalls stalls) {
    return new io.cascade.api.orchestrator.Stalls(
        stalls.seconds(Stall.DATA), stalls.seconds(Stall.SINK), stalls.seconds(Stall.BUDGET));
  }

  /** Bytes passed on so far. */
  public long bytesOut(Direction direction) {
    Pump pump = pump(direction);
    return pump == null ? 0 : pump.account().bytesOut();
  }

  /** Nanoseconds until the destination's first byte; negative while there was none. */
  public long answeredNanos() {
    return answeredNanos;
  }

  /** Bytes of both directions that were spliced, among those passed on so far. */
  public long splicedBytes() {
    long spliced = 0;
    for (Direction direction : Direction.values()) {
      Pump pump = pump(direction);
      spliced += pump == null ? 0 : pump.account().splicedBytes();
    }
    return spliced;
  }

  /** Bytes that it holds at present. */
  public long heldBytes() {
    long held = 0;
    for (Direction direction : Direction.values()) {
      Pump pump = pump(direction);
      held += pump == null ? 0 : pump.account().heldBytes();
    }
    for (Side side : Side.values()) {
      Connection connection = connection(side);
      held += connection == null ? 0 : connection.heldBytes();
    }
    return held;
  }

  /** All bytes that it has received and passed on since it began. */
  long movedBytes() {
    long moved = 0;
    for (Direction direction : Direction.values()) {
      Pump pump = pump(direction);
      moved += pump == null ? 0 : pump.account().bytesIn() + pump.account().bytesOut();
    }
    return moved;
  }

  /** Times for which a direction has waited. */
  public Stalls stalls(Direction direction) {
    Pump pump = pump(direction);
    return pump == null ? Stalls.NONE : pump.account().waited();
  }

  /** The kernel's account of a side's connection; after it is closed, the saved one. */
  public TcpTotals tcp(Side side) {
    Connection connection = connection(side);
    if (connection != null && !isEnded()) {
      TcpInfo info = connection.tcpInfo();
      if (info != null) {
        return TcpTotals.of(info, connection.congestionControl());
      }
    }
    return side == Side.INLET ? inletPast : onwardPast; // saved before the connection was closed
  }
}
