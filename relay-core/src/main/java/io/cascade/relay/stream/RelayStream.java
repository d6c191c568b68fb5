package io.cascade.relay.stream;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.relay.pump.BudgetedReceive;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.Pump;
import io.cascade.relay.pump.Stall;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.tls.TlsFailure;
import io.cascade.relay.tls.TlsKeyLimit;
import io.cascade.relay.transport.SocketTuning;
import io.cascade.relay.transport.TcpInfo;
import io.cascade.relay.transport.TcpTotals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client connection through this relay: an inlet, an onward connection, a pump for each
 * direction. Lives on the event loop of its inlet; the onward connection shares it.
 *
 * <p>Every connection of a stream is armed to reset (SO_LINGER 0) from its first moment, so that
 * whatever ends this process ends the stream with RST and never with a clean end. Only a stream
 * whose two directions are complete disarms its connections before it closes them.
 */
public final class RelayStream implements Outlet.Onward, Pump.Owner {
  /** How long data that preceded a failure may take to reach the peer before the reset follows. */
  static final Duration RESET_GRACE = Duration.ofSeconds(5);

  /** With a name, for Netty would look for one for every connection. */
  private static final String HANDLER = "stream";

  private static final int STILL_LOOKS = 16;

  private static final Duration FIRST_LOOK = Duration.ofMillis(1);
  private static final Duration LONGEST_LOOK = Duration.ofMillis(50);

  /** Where a transport cannot tell what was delivered, the reset waits this long. */
  private static final Duration BLIND_GRACE = Duration.ofMillis(500);

  /** What the kernel counted for a stream that carried less is not worth asking for at its end. */
  private static final long WORTH_COUNTING_BYTES = 64 << 10;

  private final StreamStart start;
  private final Channel inlet;
  private final Outlet outlet;
  private final StreamSettings settings;
  private final MemoryBudget.Ledger ledger;
  private final StreamWatch watch;
  private final StreamWatch.Place place = new StreamWatch.Place();
  private final Path spoolFolder;
  private final StreamObserver observer;
  private final long openedAtMillis; // an Instant would be one more object for every stream
  private final long openedNanos;
  private final Pump forward;

  private volatile State state = State.OPENING;
  private volatile @Nullable Pump backward;
  private volatile @Nullable CloseReason reason;
  private volatile boolean warm;
  private volatile long firstByteNanos = -1;
  private volatile long answeredNanos = -1;
  private volatile long endedNanos;
  private volatile TcpTotals inletPast = TcpTotals.NONE;
  private volatile TcpTotals onwardPast = TcpTotals.NONE;
  private volatile @Nullable Channel onward;
  private Answer answer = Answer.NONE;
  private @Nullable CloseReason brokenEarly;
  private @Nullable ScheduledFuture<?> stillTimer;
  private @Nullable ScheduledFuture<?> graceTimer;
  private long nextLookNanos;
  private final Stillness stillness;
  private boolean halfClosed;
  private boolean keptAlive;

  /** Where a stream stands. */
  enum State {
    /** The onward connection is not confirmed. */
    OPENING,
    FLOWING,
    /** One side broke; what it had sent is still going to the other, which is then reset. */
    FAILING,
    ENDED
  }

  /** Who counts and lists streams. */
  public interface StreamObserver {
    /** Its bytes may flow from now on. On its event loop. */
    default void began(RelayStream stream) {}

    void ended(RelayStream stream, CloseReason reason);
  }

  /**
   * @param inlet accepted, not yet reading, armed to reset, on whose event loop this is called
   * @param openedAtMillis since 1970
   */
  public RelayStream(
      StreamStart start,
      Channel inlet,
      Outlet outlet,
      StreamSettings settings,
      MemoryBudget.Ledger ledger,
      StreamWatch watch,
      Path spoolFolder,
      StreamObserver observer,
      long openedAtMillis) {
    this.start = start;
    this.inlet = inlet;
    this.outlet = outlet;
    this.settings = settings;
    this.ledger = ledger;
    this.watch = watch;
    this.spoolFolder = spoolFolder;
    this.observer = observer;
    this.openedAtMillis = openedAtMillis;
    this.openedNanos = nanoTime();
    this.stillness = new Stillness(openedNanos);
    this.forward = newPump(Direction.FORWARD, inlet);
  }

  /**
   * Starts reading and opens the way on.
   *
   * @param early bytes that came together with the hop header; taken over
   */
  public void begin(ByteBuf early) {
    begin(early, Answer.NONE);
  }

  /**
   * As {@link #begin(ByteBuf)}, for an inlet that wants to know whether there is a way on.
   *
   * @param early bytes that came before; taken over
   */
  public void begin(ByteBuf early, Answer owed) {
    answer = owed;
    inlet.pipeline().addLast(HANDLER, new StreamEnd(Side.INLET, forward, this));
    if (early.isReadable()) {
      forward.received(early);
    } else {
      early.release();
    }
    forward.start();
    watchStillness();
    nextLookNanos = openedNanos + settings.shortestSilence().toNanos() / 2;
    watch.add(this);
    outlet.open(start, inlet.eventLoop(), settings, this);
  }

  public StreamStart start() {
    return start;
  }

  public Channel inlet() {
    return inlet;
  }

  /** Resets both ends at once. From any thread. */
  public void abort(CloseReason why) {
    inlet.eventLoop().execute(() -> end(why));
  }

  @Override
  public boolean waiting() {
    return state == State.OPENING;
  }

  @Override
  public boolean speaks() {
    return forward.hasKept();
  }

  @Override
  public void offered(Channel channel, boolean isWarm) {
    onward = channel;
    warm = isWarm;
    forward.sinkReady(channel, false);
  }

  @Override
  public void lost(Channel channel) {
    forward.sinkLost();
    onward = null;
  }

  @Override
  public void confirmed(Channel channel, ByteBuf early) {
    if (state != State.OPENING) {
      early.release();
      channel.close();
      return;
    }
    state = State.FLOWING;
    answer.opened(inlet);
    Pump back = newPump(Direction.BACKWARD, channel);
    backward = back;
    channel.pipeline().addLast(HANDLER, new StreamEnd(Side.ONWARD, back, this));
    if (onward == null) {
      onward = channel;
      forward.sinkReady(channel, true);
    } else {
      forward.sinkConfirmed();
    }
    CloseReason broken = brokenEarly;
    if (broken != null) {
      early.release();
      fail(Side.INLET, broken);
      return;
    }
    back.sinkReady(inlet, true);
    if (early.isReadable()) {
      back.received(early);
      back.readComplete();
    } else {
      early.release();
    }
    back.start();
  }

  @Override
  public void failed(CloseReason why) {
    end(brokenEarly == null ? why : brokenEarly);
  }

  @Override
  public boolean endsWith(Pump pump) {
    Pump back = backward;
    Pump other = pump.direction() == Direction.FORWARD ? back : forward;
    return state == State.FLOWING && other != null && other.isFinished();
  }

  @Override
  public void finished(Pump pump) {
    Pump back = backward;
    if (state == State.FLOWING && forward.isFinished() && back != null && back.isFinished()) {
      disarm(inlet);
      Channel to = onward;
      if (to != null) {
        disarm(to);
      }
      end(new CloseReason.Completed());
    }
  }

  @Override
  public void sinkFailed(Pump pump, Throwable cause) {
    if (pump.direction() == Direction.FORWARD && state == State.OPENING) {
      return; // an unconfirmed connection died: its outlet sees that too, and offers another
    }
    lost(pump.direction() == Direction.FORWARD ? Side.ONWARD : Side.INLET, cause);
  }

  @Override
  public void pumpFailed(Pump pump, Throwable cause) {
    Throwable root = cause.getCause() == null ? cause : cause.getCause();
    end(new CloseReason.StorageFailed(String.valueOf(root.getMessage())));
  }

  @Override
  public void firstByte(Pump pump) {
    if (pump.direction() == Direction.FORWARD) {
      firstByteNanos = nanoTime() - openedNanos;
    } else {
      answeredNanos = nanoTime() - openedNanos;
    }
  }

  @Override
  public void sourceFailed(Pump pump, Throwable cause) {
    lost(pump.direction() == Direction.FORWARD ? Side.INLET : Side.ONWARD, cause);
  }

  /** One of the directions has come to its end, and the other may not lie still for ever. */
  void sourceEnded() {
    if (!halfClosed) {
      halfClosed = true;
      watchStillness();
    }
  }

  /** A connection broke. The other side gets what this one had sent, and then a reset. */
  void lost(Side side, Throwable cause) {
    CloseReason why = explain(side, cause);
    switch (state) {
      case OPENING -> lostWhileOpening(why);
      case FLOWING -> fail(side, why);
      case FAILING -> end(reason == null ? why : reason);
      case ENDED -> {}
    }
  }

  /** As this relay saw the stream until now. From any thread. */
  public StreamReport report() {
    Pump back = backward;
    CloseReason why = reason;
    boolean ended = state == State.ENDED;
    long lasted = (ended ? endedNanos : nanoTime()) - openedNanos;
    StreamState shown =
        !ended
            ? StreamState.RUNNING
            : why instanceof CloseReason.Completed ? StreamState.COMPLETED : StreamState.FAILED;
    long first = firstByteNanos;
    return new StreamReport(
        start.id(),
        shown,
        Instant.ofEpochMilli(openedAtMillis),
        lasted / 1e6,
        first < 0 ? null : first / 1e6,
        start.client().getHostString() + ":" + start.client().getPort(),
        outlet.target(),
        warm,
        report(forward),
        back == null ? new DirectionReport(0L, 0L, 0L, 0L, false, 0L, null) : report(back),
        why == null ? null : why.code(),
        why == null || why.detail().isEmpty() ? null : why.detail());
  }

  /** Bytes handed on so far. */
  public long bytesOut(Direction direction) {
    Pump back = backward;
    return direction == Direction.FORWARD ? forward.bytesOut() : back == null ? 0 : back.bytesOut();
  }

  /** From its beginning to the destination's first byte; negative while there was none. */
  public long answeredNanos() {
    return answeredNanos;
  }

  /** Of the bytes handed on so far, in both directions, those that were spliced. */
  public long splicedBytes() {
    Pump back = backward;
    return forward.splicedBytes() + (back == null ? 0 : back.splicedBytes());
  }

  /** Bytes that it holds now. */
  public long heldBytes() {
    Pump back = backward;
    return forward.heldBytes() + (back == null ? 0 : back.heldBytes());
  }

  /** For how long a direction has waited. */
  public Stalls stalls(Direction direction) {
    Pump back = backward;
    return direction == Direction.FORWARD
        ? forward.stalls()
        : back == null ? Stalls.NONE : back.stalls();
  }

  /** What the kernel says of a side's connection; once it is closed, what it had counted. */
  public TcpTotals tcp(Side side) {
    Channel channel = side == Side.INLET ? inlet : onward;
    if (channel != null && state != State.ENDED) {
      TcpInfo info = TcpInfo.of(channel);
      if (info != null) {
        return TcpTotals.of(info, SocketTuning.congestionControlOf(channel));
      }
    }
    return side == Side.INLET ? inletPast : onwardPast; // kept before the connection was closed
  }

  /** Before a side's connection is closed, and with it what the kernel knows. */
  private void keepCounts(Side side) {
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

  /**
   * The client is gone before the way on is open. What it had sent goes on all the same, as it
   * would on a direct connection, and the reset behind it.
   */
  private void lostWhileOpening(CloseReason why) {
    if (forward.bytesIn() == 0) {
      end(why);
    } else if (brokenEarly == null) {
      brokenEarly = why;
      inlet.close();
    }
  }

  private void fail(Side broken, CloseReason why) {
    Channel to = onward;
    Pump back = backward;
    if (to == null || back == null) {
      end(why);
      return;
    }
    state = State.FAILING;
    reason = why;
    Channel survivor = broken == Side.INLET ? to : inlet;
    Pump delivering = broken == Side.INLET ? forward : back;
    (broken == Side.INLET ? back : forward).discard();
    keepCounts(broken);
    (broken == Side.INLET ? inlet : to).close();
    long deadline = nanoTime() + RESET_GRACE.toNanos();
    graceTimer =
        inlet.eventLoop().schedule(() -> end(why), RESET_GRACE.toNanos(), TimeUnit.NANOSECONDS);
    delivering.drain(() -> resetOnceDelivered(survivor, why, deadline, FIRST_LOOK));
  }

  /**
   * A reset makes the kernel drop what it has not sent, so it has to wait until that has arrived.
   */
  private void resetOnceDelivered(Channel survivor, CloseReason why, long deadline, Duration look) {
    if (state != State.FAILING) {
      return;
    }
    TcpInfo info = TcpInfo.of(survivor);
    if (info == null) {
      graceTimer =
          inlet.eventLoop().schedule(() -> end(why), BLIND_GRACE.toNanos(), TimeUnit.NANOSECONDS);
    } else if (info.delivered() || info.closed() || nanoTime() >= deadline) {
      end(why);
    } else {
      Duration next = look.compareTo(LONGEST_LOOK) < 0 ? look.multipliedBy(2) : LONGEST_LOOK;
      inlet
          .eventLoop()
          .schedule(
              () -> resetOnceDelivered(survivor, why, deadline, next),
              look.toNanos(),
              TimeUnit.NANOSECONDS);
    }
  }

  private void end(CloseReason why) {
    if (state == State.ENDED) {
      return;
    }
    boolean opening = state == State.OPENING;
    reason = why;
    endedNanos = nanoTime();
    keepCounts(Side.INLET);
    keepCounts(Side.ONWARD);
    state = State.ENDED;
    forward.discard();
    Pump back = backward;
    if (back != null) {
      back.discard();
    }
    cancel(stillTimer);
    cancel(graceTimer);
    watch.remove(this);
    if (opening) {
      answer.failed(inlet, why);
    } else {
      inlet.close();
    }
    Channel to = onward;
    if (to != null) {
      to.close();
    }
    observer.ended(this, why);
  }

  /** Looks often enough to be late by a small part of the limit at most. */
  private void watchStillness() {
    if (state != State.OPENING && state != State.FLOWING) {
      return;
    }
    Duration idle = settings.idleTimeout();
    Duration half = halfClosed ? settings.halfCloseTimeout() : Duration.ZERO;
    boolean byHalfClose = !half.isZero() && (idle.isZero() || half.compareTo(idle) < 0);
    Duration limit = byHalfClose ? half : idle;
    cancel(stillTimer);
    if (limit.isZero()) {
      return;
    }
    long left = limit.toNanos() - stillness.look(movedBytes(), nanoTime());
    if (left <= 0) {
      end(
          byHalfClose
              ? new CloseReason.HalfCloseTimeout(limit)
              : new CloseReason.IdleTimeout(limit));
      return;
    }
    stillTimer =
        inlet
            .eventLoop()
            .schedule(
                this::watchStillness,
                Math.min(left, limit.toNanos() / STILL_LOOKS),
                TimeUnit.NANOSECONDS);
  }

  private long movedBytes() {
    Pump back = backward;
    long moved = forward.bytesIn() + forward.bytesOut();
    return back == null ? moved : moved + back.bytesIn() + back.bytesOut();
  }

  /**
   * Looks after a stream that lasts: sees to the keep-alive of its way on, which most are over
   * without, and whether a peer has fallen silent. Not TCP_USER_TIMEOUT: since Linux 5.11 that also
   * ends connections to a receiver that lives and keeps its window shut, which in a chain is what
   * backpressure looks like.
   */
  void look(long now) {
    Channel to = onward;
    if (!keptAlive && state == State.FLOWING && to != null) {
      keptAlive = true;
      settings.onward().tuning().keepAlive(to);
    }
    Duration shortest = settings.shortestSilence();
    if (shortest.isZero() || now - nextLookNanos < 0) {
      return;
    }
    nextLookNanos = now + shortest.toNanos() / 2;
    loseIfSilent(Side.INLET, inlet, settings.inlet().silenceTimeout());
    loseIfSilent(Side.ONWARD, onward, settings.onward().silenceTimeout());
  }

  StreamWatch.Place place() {
    return place;
  }

  private void loseIfSilent(Side side, @Nullable Channel channel, Duration limit) {
    if (channel == null || state == State.ENDED || limit.isZero()) {
      return;
    }
    TcpInfo info = TcpInfo.of(channel);
    if (info != null && info.silentFor(limit)) {
      lost(
          side, new IOException("timed out: nothing acknowledged for " + limit.toSeconds() + " s"));
    }
  }

  private Pump newPump(Direction direction, Channel source) {
    BudgetedReceive receive = source.config().getRecvByteBufAllocator();
    return new Pump(
        direction,
        source,
        receive,
        ledger,
        settings.bufferBytes() / 2,
        settings.gate(),
        settings.pump(),
        spoolFolder,
        this);
  }

  private static DirectionReport report(Pump pump) {
    return new DirectionReport(
        pump.bytesIn(),
        pump.bytesOut(),
        pump.heldBytes(),
        pump.peakHeldBytes(),
        pump.isFinished(),
        pump.splicedBytes(),
        document(pump.stalls()));
  }

  /** As the contract has it. */
  public static io.cascade.api.relay.Stalls document(Stalls stalls) {
    return new io.cascade.api.relay.Stalls(
        stalls.seconds(Stall.DATA), stalls.seconds(Stall.SINK), stalls.seconds(Stall.BUDGET));
  }

  /** What a broken connection means for its stream. */
  static CloseReason explain(Side side, Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof TlsKeyLimit) {
      return new CloseReason.TlsKeyUsedUp(side, message);
    }
    if (cause instanceof TlsFailure) {
      return new CloseReason.TlsBroken(side, message);
    }
    boolean silent = message.toLowerCase(Locale.ROOT).contains("timed out");
    return silent
        ? new CloseReason.PeerSilent(side, message)
        : new CloseReason.ConnectionLost(side, message);
  }

  private static void disarm(Channel channel) {
    if (channel.isOpen()) {
      channel.config().setOption(ChannelOption.SO_LINGER, -1);
    }
  }

  private static void cancel(@Nullable ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private static long nanoTime() {
    return System.nanoTime();
  }
}
