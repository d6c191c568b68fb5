package io.cascade.relay.stream;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.ConnectionLosses;
import io.cascade.carriage.transport.OnLoop;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.Pump;
import io.cascade.relay.pump.PumpOwner;
import io.cascade.relay.stream.StreamStage.Event;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client connection through this relay: an inlet, an onward connection, and a pump for each
 * direction. Runs on the event loop of its inlet, which the onward connection shares.
 *
 * <p>Every connection of a stream is set to reset on close (SO_LINGER 0) from its first moment, so
 * that if this process ends for any reason, the stream ends with RST and never with a clean end.
 * Only a stream whose two directions are complete clears the option before it closes its
 * connections.
 */
public final class RelayStream extends StreamRecord implements Outlet.ServedStream, PumpOwner {
  /** Name of the handler, since Netty would search for a free one for every connection. */
  private static final String HANDLER = "stream";

  /** Bytes below which a stream's losses are not judged. */
  private static final long LEAST_MOVED_BYTES = 16 << 10;

  private final Connection inlet;
  private final Outlet outlet;
  private final StreamSettings settings;
  private final MemoryBudget.Ledger ledger;
  private final StreamWatch watch;
  private final StreamWatch.Place place = new StreamWatch.Place();
  private final Path spoolFolder;
  private final StreamObserver observer;
  private final Pump forward;

  private volatile StreamStage stage = StreamStage.OPENING;
  private volatile @Nullable Pump backward;
  private volatile @Nullable CloseReason reason;
  private volatile boolean warm;
  private volatile @Nullable Connection onward;
  private InletAnswer answer = InletAnswer.NONE;
  private @Nullable CloseReason brokenEarly;
  private @Nullable DelayedReset delayedReset;
  private long nextLookNanos;
  private final IdleTimer stillness;
  private final ConnectionLosses inletLosses;
  private @Nullable ConnectionLosses onwardLosses;
  private long lookedBytes;
  private boolean keptAlive;

  /** Observer that counts and lists streams. */
  public interface StreamObserver {
    /** Starts the flow of the stream's bytes. Called on its event loop. */
    default void began(RelayStream stream) {}

    void ended(RelayStream stream, CloseReason reason);
  }

  /**
   * @param inlet accepted connection that does not read yet and resets on close; the constructor is
   *     called on its event loop
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
    super(start, openedAtMillis);
    this.inlet = Connection.of(inlet);
    this.inletLosses = new ConnectionLosses(this.inlet, settings.inlet().respondsToLoss());
    this.outlet = outlet;
    this.settings = settings;
    this.ledger = ledger;
    this.watch = watch;
    this.spoolFolder = spoolFolder;
    this.observer = observer;
    this.stillness = new IdleTimer(this, NANO_TIME);
    this.forward = newPump(Direction.FORWARD, this.inlet);
  }

  /** Starts like {@link #begin(ByteBuf, InletAnswer)}, for an inlet that expects no answer. */
  public void begin(ByteBuf early) {
    begin(early, InletAnswer.NONE);
  }

  /**
   * Starts reading and opens the onward connection.
   *
   * @param early bytes that arrived before, such as those after the hop header; taken over
   * @param owed tells the inlet whether the onward connection is open
   */
  public void begin(ByteBuf early, InletAnswer owed) {
    answer = owed;
    inlet.pipeline().addLast(HANDLER, new PumpFeeder(Side.INLET, forward.intake(), this));
    if (early.isReadable()) {
      forward.intake().received(early);
    } else {
      early.release();
    }
    forward.start();
    stillness.look();
    nextLookNanos = openedNanos() + settings.shortestSilence().toNanos() / 2;
    watch.add(this);
    outlet.open(start(), inlet.eventLoop(), settings, this);
  }

  public Channel inlet() {
    return inlet;
  }

  StreamSettings settings() {
    return settings;
  }

  /** Resets both connections at once. May be called from any thread. */
  public void abort(CloseReason why) {
    OnLoop.run(inlet.eventLoop(), () -> end(why));
  }

  @Override
  public boolean waiting() {
    return stage.isOpening();
  }

  @Override
  public boolean speaks() {
    return forward.hasKept();
  }

  @Override
  public void offered(Channel channel, boolean isWarm) {
    Connection to = Connection.of(channel);
    onward = to;
    warm = isWarm;
    forward.sinkReady(to, false);
  }

  @Override
  public void lost(Channel channel) {
    forward.sinkLost();
    onward = null;
    onwardLosses = null;
  }

  @Override
  public void confirmed(Channel channel, ByteBuf early) {
    if (!stage.isOpening()) {
      early.release();
      channel.close();
      return;
    }
    move(Event.CONFIRMED);
    answer.opened(inlet);
    Connection to = Connection.of(channel);
    Pump back = newPump(Direction.BACKWARD, to);
    backward = back;
    channel.pipeline().addLast(HANDLER, new PumpFeeder(Side.ONWARD, back.intake(), this));
    if (onward == null) {
      onward = to;
      forward.sinkReady(to, true);
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
      back.intake().received(early);
      back.intake().readComplete();
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
    Pump other = pump.direction() == Direction.FORWARD ? backward : forward;
    return stage == StreamStage.FLOWING && other != null && other.isFinished();
  }

  @Override
  public void finished(Pump pump) {
    Pump back = backward;
    boolean both = forward.isFinished() && back != null && back.isFinished();
    if (stage == StreamStage.FLOWING && both) {
      inlet.disarm();
      Connection to = onward;
      if (to != null) {
        to.disarm();
      }
      end(new CloseReason.Completed());
    }
  }

  @Override
  public void sinkFailed(Pump pump, Throwable cause) {
    if (pump.direction() == Direction.FORWARD && stage.isOpening()) {
      return; // an unconfirmed connection ended: its outlet offers another one
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
    noteFirstByte(pump.direction());
  }

  @Override
  public void sourceFailed(Pump pump, Throwable cause) {
    lost(pump.direction() == Direction.FORWARD ? Side.INLET : Side.ONWARD, cause);
  }

  /** One direction has ended, so the idle time of the other is bounded. */
  void sourceEnded() {
    stillness.halfClosed();
  }

  /** A connection failed. The other side gets what this one had sent, and then a reset. */
  void lost(Side side, Throwable cause) {
    CloseReason why = CloseReason.of(side, cause);
    switch (stage) {
      case OPENING -> lostWhileOpening(why);
      case FLOWING -> {
        move(Event.BROKE);
        fail(side, why);
      }
      case FAILING -> end(reason == null ? why : reason);
      case ORPHANED, ENDED -> {}
    }
  }

  @Override
  @Nullable Pump pump(Direction direction) {
    return direction == Direction.FORWARD ? forward : backward;
  }

  @Override
  @Nullable Connection connection(Side side) {
    return side == Side.INLET ? inlet : onward;
  }

  @Override
  boolean isEnded() {
    return stage == StreamStage.ENDED;
  }

  @Override
  @Nullable CloseReason reason() {
    return reason;
  }

  @Override
  String target() {
    return outlet.target();
  }

  @Override
  boolean isWarm() {
    return warm;
  }

  /**
   * Handles a client whose connection ended before the onward connection is open. What it had sent
   * is still delivered, as on a direct connection, followed by the reset.
   */
  private void lostWhileOpening(CloseReason why) {
    if (forward.account().bytesIn() == 0) {
      end(why);
    } else {
      move(Event.BROKE);
      brokenEarly = why;
      inlet.abort();
    }
  }

  /** Delivers to the survivor what the failed side had sent, and then resets it. */
  private void fail(Side broken, CloseReason why) {
    Connection to = onward;
    Pump back = backward;
    if (to == null || back == null || stage == StreamStage.ENDED) {
      end(why);
      return;
    }
    reason = why;
    boolean isInlet = broken == Side.INLET;
    (isInlet ? back : forward).discard();
    keepCounts(broken);
    (isInlet ? inlet : to).abort();
    delayedReset = new DelayedReset(this, isInlet ? to : inlet, why);
    (isInlet ? forward : back).drain(delayedReset::handedOn);
  }

  boolean isFailing() {
    return stage == StreamStage.FAILING;
  }

  /** Whether its client has sent a byte. */
  boolean isUsed() {
    return forward.account().bytesIn() > 0;
  }

  /** Whether the stream may be ended when no byte moves. */
  boolean mayBeStill() {
    return stage.isOpening() || stage == StreamStage.FLOWING;
  }

  private void move(Event event) {
    stage = stage.after(event);
  }

  /** Closes both connections, with a reset unless the option was cleared. */
  void end(CloseReason why) {
    if (stage == StreamStage.ENDED) {
      return;
    }
    boolean opening = stage.isOpening();
    reason = why;
    noteEnd();
    move(Event.END);
    forward.discard();
    Pump back = backward;
    if (back != null) {
      back.discard();
    }
    stillness.cancel();
    DelayedReset reset = delayedReset;
    if (reset != null) {
      reset.cancel();
    }
    watch.remove(this);
    if (opening) {
      answer.failed(inlet, why);
    } else {
      inlet.abort();
    }
    Connection to = onward;
    if (to != null) {
      to.abort();
    }
    observer.ended(this, why);
  }

  /**
   * Watches a stream that lasts: enables keep-alive on its onward connection, which short streams
   * do without, and detects a silent peer. TCP_USER_TIMEOUT is not used: since Linux 5.11 it also
   * ends connections to a live receiver that keeps its window closed, which in a chain is
   * backpressure.
   */
  void look(long now) {
    Connection to = onward;
    if (!keptAlive && stage == StreamStage.FLOWING && to != null) {
      keptAlive = true;
      settings.onward().tuning().keepAlive(to);
    }
    long moved = movedBytes();
    if (moved - lookedBytes >= LEAST_MOVED_BYTES) {
      lookedBytes = moved;
      inletLosses.look(now);
      if (to != null && onwardLosses == null) {
        onwardLosses = new ConnectionLosses(to, settings.onward().respondsToLoss());
      }
      if (to != null && onwardLosses != null) {
        onwardLosses.look(now);
      }
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

  private void loseIfSilent(Side side, @Nullable Connection connection, Duration limit) {
    if (connection != null && !isEnded() && !limit.isZero() && connection.isSilentFor(limit)) {
      String what = "timed out: nothing acknowledged for " + limit.toSeconds() + " s";
      lost(side, new ConnectionFailure(ConnectionError.TIMED_OUT, what));
    }
  }

  private Pump newPump(Direction direction, Connection source) {
    return new Pump(
        direction,
        source,
        ledger,
        settings.bufferBytes() / 2,
        settings.gate(),
        settings.pump(),
        spoolFolder,
        this);
  }
}
