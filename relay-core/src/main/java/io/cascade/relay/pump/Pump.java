package io.cascade.relay.pump;

import io.cascade.carriage.transport.BudgetedReceive;
import io.cascade.carriage.transport.Connection;
import io.cascade.relay.pump.PumpState.Event;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a stream: reads from its source as long as it may hold more, writes to its sink,
 * and passes the source's end on after the last byte.
 *
 * <p>Both directions use this class. All methods run on the one event loop that source and sink
 * share. Held bytes are counted by the memory they occupy, from the read until the sink's kernel
 * has accepted them (and, if the next relay has not confirmed the stream yet, until it has).
 *
 * <p>{@link PumpState} is the direction's state, {@link Account} counts what it holds, and {@link
 * Movers} pass its bytes to the sink. If a {@link StartGate} holds bytes back, a {@link Gate}
 * precedes the pump: see {@link #intake()}.
 */
public final class Pump implements BudgetedReceive.Reader, SourceListener {
  /** Least room that is worth a read. */
  static final int LEAST_READ = 2_048;

  /** Size of a read that makes a direction bulk. */
  static final int BULK_READ = 256 << 10;

  private final Direction direction;
  private final Connection source;
  private final BudgetedReceive receive;
  private final Account account;
  private final PumpOwner owner;
  private final Movers movers;
  private final @Nullable Gate gate;

  private volatile PumpState state = PumpState.HOLDING;
  private @Nullable Connection sink;
  private @Nullable Runnable whenDrained;

  /**
   * @param limitBytes most memory that this direction may hold
   */
  public Pump(
      Direction direction,
      Connection source,
      MemoryBudget.Ledger ledger,
      long limitBytes,
      StartGate gate,
      PumpMode mode,
      Path spoolFolder,
      PumpOwner owner) {
    this.direction = direction;
    this.source = source;
    this.receive = source.receive();
    this.account = new Account(ledger, limitBytes);
    this.owner = owner;
    this.movers = new Movers(this, source, account, mode);
    this.gate = gate instanceof StartGate.Open ? null : Gate.of(gate, this, spoolFolder);
  }

  public Direction direction() {
    return direction;
  }

  /** Counts of the direction. May be called from any thread. */
  public Account account() {
    return account;
  }

  /** Receiver of the source's bytes: the pump, or the gate before it. */
  public SourceListener intake() {
    return gate == null ? this : gate;
  }

  /** Starts reading. Bytes that the source has already delivered are passed before. */
  public void start() {
    receive.readFor(this);
    if (gate != null) {
      gate.started();
    }
    readMore();
  }

  @Override
  public void received(ByteBuf bytes) {
    if (takes(bytes)) {
      int length = bytes.readableBytes();
      int memory = Math.max(bytes.capacity(), length);
      account.came(length);
      countCarried();
      account.charge(memory);
      movers.pass(bytes, memory);
    }
  }

  /** Releases bytes that no sink will accept; records what their size says about the direction. */
  boolean takes(ByteBuf bytes) {
    if (!state.takesBytes()) {
      bytes.release();
      return false;
    }
    movers.delivering();
    if (receive.nextBytes() <= ReadQuantum.SMALL_BYTES) {
      account.quantum().read(bytes.readableBytes(), bytes.writableBytes());
    }
    return true;
  }

  @Override
  public void readComplete() {
    countCarried();
    movers.readComplete();
    movers.trySplice();
    readMore();
    noticeStall();
  }

  @Override
  public void sourceEnded() {
    if (state.isSourceOpen()) {
      move(Event.SOURCE_ENDED);
      countCarried();
      movers.sourceEnded();
      passEndIfEmpty();
    }
  }

  @Override
  public boolean hasSourceEnded() {
    return !state.isSourceOpen();
  }

  /**
   * Writes bytes to a sink from now on. Called again with another sink if the first one ended
   * before it had confirmed the stream.
   *
   * @param confirmed false if the sink must confirm the stream first
   */
  public void sinkReady(Connection newSink, boolean confirmed) {
    if (isDiscarded()) {
      return;
    }
    move(confirmed ? Event.SINK_READY : Event.SINK_OFFERED);
    sink = newSink;
    movers.sink(newSink, confirmed);
    moveOn();
  }

  /** The sink has confirmed the stream: no byte needs to be kept for another one. */
  public void sinkConfirmed() {
    if (state.isOffered()) {
      move(Event.SINK_CONFIRMED);
      movers.confirm();
      passEndIfEmpty();
      readMore();
      noticeRelief();
    }
  }

  /** The sink ended before confirming; the offered bytes are kept for the next one. */
  public void sinkLost() {
    move(Event.SINK_LOST);
    sink = null;
    movers.sinkLost();
  }

  /**
   * Stops for good and frees what is held. Bytes that were already written to the sink's channel
   * are still sent.
   */
  public void discard() {
    if (!state.isOver()) {
      move(Event.DISCARD);
      free();
    }
  }

  private void free() {
    account.stalls().stop();
    countCarried();
    movers.stop();
    if (gate != null) {
      gate.discard();
    }
  }

  /**
   * The source failed: no more is read. {@code then} runs once the sink's kernel has accepted all
   * that was read, or at once if it cannot.
   */
  public void drain(Runnable then) {
    // The gate first, while this state passes on no end.
    boolean isWhole = gate == null || gate.sourceBroke();
    boolean wasOver = state.isOver();
    move(isWhole ? Event.SOURCE_BROKE : Event.DISCARD);
    if (isDiscarded() && !wasOver) {
      free();
    }
    if (state != PumpState.DRAINING) {
      then.run();
      return;
    }
    countCarried();
    whenDrained = then;
    movers.leaveSplice();
    passEndIfEmpty();
  }

  /**
   * Passes the end on once everything was passed on, or reports that a failed source's bytes are.
   */
  private void passEndIfEmpty() {
    if (!movers.isEmpty()) {
      return;
    }
    if (state == PumpState.ENDING) {
      move(Event.EMPTIED);
      account.stalls().stop();
      passEnd();
    } else if (state == PumpState.DRAINING && whenDrained != null) {
      move(Event.EMPTIED);
      whenDrained.run();
    }
  }

  private void passEnd() {
    Connection to = sink;
    if (to == null) {
      throw new IllegalStateException("no sink in state " + state);
    }
    if (owner.endsWith(this) && to.isFinishedByClose()) {
      endPassed();
      return;
    }
    to.finishOutput()
        .addListener(future -> {
          Throwable failure = future.cause();
          if (failure == null) {
            endPassed();
          } else {
            owner.sinkFailed(this, failure);
          }
        });
  }

  private void endPassed() {
    move(Event.END_PASSED);
    owner.finished(this);
  }

  private void move(Event event) {
    state = state.after(event);
  }

  @Override
  public long allowance() {
    if (isDiscarded()) {
      return 0;
    }
    countCarried();
    return account.allowance();
  }

  @Override
  public void reads(int bytes) {
    account.reserve(bytes);
  }

  /**
   * Counts the bytes that a handler before this one has read and not passed on, until the source
   * ends.
   */
  void countCarried() {
    account.carries(state.isSourceOpen() ? receive.carried() : 0);
  }

  /** Continues reading if there is room; called whenever room may have been freed. */
  public void readMore() {
    if (state.isSourceOpen()) {
      movers.readOn();
    }
  }

  /** The cause for which it waits now. Valid only between events. */
  private Stall cause() {
    boolean mayRead = state.isSourceOpen() && !movers.isReading();
    if (mayRead && account.hasRoomFor(LEAST_READ)) {
      return Stall.BUDGET;
    }
    return isGateOpen() && account.heldBytes() > 0 ? Stall.SINK : Stall.DATA;
  }

  void noticeStall() {
    account.stalls().waitsFor(cause());
  }

  private void noticeRelief() {
    if (account.stalls().isHeldUp()) {
      noticeStall();
    }
  }

  /**
   * The sink has accepted bytes.
   *
   * @param bytes 0 if they were counted before
   */
  void gave(int bytes, boolean spliced) {
    if (isDiscarded()) {
      return;
    }
    if (account.bytesOut() == 0) {
      owner.firstByte(this);
    }
    if (spliced) {
      account.wentSpliced(bytes);
      noticeRelief();
    } else {
      account.went(bytes);
      moveOn();
    }
  }

  /** The sink accepts more, or was added. */
  private void moveOn() {
    if (gate != null) {
      gate.roomCame();
    }
    passEndIfEmpty();
    movers.trySplice();
    readMore();
    noticeRelief();
  }

  /** Splicing has ended. */
  void spliceOver() {
    passEndIfEmpty();
    readMore();
    noticeRelief();
  }

  /** There is no room to read, and no write in progress will free any. */
  void starved() {
    if (gate != null) {
      gate.starved();
    }
  }

  void sourceFailed(IOException cause) {
    owner.sourceFailed(this, cause);
  }

  void sinkFailed(Throwable cause) {
    if (!isDiscarded()) {
      owner.sinkFailed(this, cause);
    }
  }

  /** The direction fails for a reason within this relay. */
  void failed(Throwable cause) {
    owner.pumpFailed(this, cause);
  }

  Connection source() {
    return source;
  }

  Movers movers() {
    return movers;
  }

  PumpState state() {
    return state;
  }

  boolean isDiscarded() {
    return state == PumpState.DISCARDED;
  }

  boolean isGateOpen() {
    return gate == null || gate.isOpen();
  }

  /** Whether bytes wait only for a sink. */
  public boolean hasKept() {
    return movers.hasKept();
  }

  /** Whether the source's end was passed on. May be called from any thread. */
  public boolean isFinished() {
    return state == PumpState.FINISHED;
  }
}
