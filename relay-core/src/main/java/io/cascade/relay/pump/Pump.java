package io.cascade.relay.pump;

import io.cascade.relay.transport.Closing;
import io.cascade.relay.transport.Readiness;
import io.cascade.relay.transport.TcpInfo;
import io.cascade.relay.transport.UnsentLimit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a stream: reads from its source as long as it may hold more, writes to its sink,
 * and passes the source's end on after the last byte.
 *
 * <p>Both directions are this class. All methods run on the one event loop that source and sink
 * share. What is held is counted by the memory it takes, not by the bytes in it, from the read
 * until the sink's kernel has it (and, before the next relay has confirmed the stream, until that).
 *
 * <p>Life: {@link Phase#HOLDING} (no sink) → {@link Phase#OFFERED} (written to a sink that has not
 * confirmed the stream; everything is kept so that another sink can have it) → {@link
 * Phase#FLOWING} → {@link Phase#FINISHED}. {@link #discard()} ends any of them. What a {@link
 * StartGate} holds back waits before all that. While it is flowing, a direction may leave the
 * moving of its bytes to a {@link Splice} for a while; what is read into buffers meanwhile waits
 * until that is over.
 */
public final class Pump implements BudgetedReceive.Reader {
  /**
   * Kept free below the limit for the few reads that cannot be refused, see {@link
   * BudgetedReceive}.
   */
  static final int GRACE_BYTES = 4_096;

  private static final int LEAST_READ = 2_048;

  /** A direction that brings so much at once is bulk. */
  private static final int BULK_READ = 256 << 10;

  /** One that brings so many messages in a row is bulk no longer. */
  private static final int MESSAGES = 8;

  /** Memory of what waits behind a gate comes in pieces of this size. */
  static final int PIECE_BYTES = 16 * 1_024;

  /** Of directions without a gate, which are most; never added to. */
  private static final ArrayDeque<ByteBuf> NONE_WAITING = new ArrayDeque<>(1);

  private final Direction direction;
  private final Channel source;
  private final BudgetedReceive receive;
  private final MemoryBudget.Ledger ledger;
  private final long limit;
  private final StartGate gate;
  private final Path spoolFolder;
  private final Owner owner;
  private final Line kept = new Line();
  private final ArrayDeque<ByteBuf> waiting;

  private Phase phase = Phase.HOLDING;
  private @Nullable Channel sink;
  private @Nullable Spool spool;
  private @Nullable ScheduledFuture<?> windowTimer;
  private @Nullable Runnable whenDrained;
  private boolean gateOpen;
  private boolean sinkConfirmed;
  private boolean sourceEnded;
  private boolean reading;
  private boolean spoolReading;
  private boolean delivering;
  private boolean flushWaits;
  private boolean mayOnlyCopy;
  private final boolean splicesBulkAlone;
  private @Nullable Splice splice;
  private int carried;
  private int attempt;
  private int unwritten;
  private long waitingMemory;
  private long passedBytes;

  // Written on the event loop alone, read by statistics.
  private final DirectionTally tally = new DirectionTally();
  private final StallClock stalls = new StallClock();
  private volatile boolean finished;

  /** What a pump tells its stream. */
  public interface Owner {
    /** The end of the source has been passed on; nothing is held any more. */
    void finished(Pump pump);

    /** Whether the connections are closed in good order as soon as this one has finished, too. */
    default boolean endsWith(Pump pump) {
      return false;
    }

    /** The sink did not take what it was given. */
    void sinkFailed(Pump pump, Throwable cause);

    /** The direction cannot go on for a reason of this relay's own. */
    void pumpFailed(Pump pump, Throwable cause);

    /** The first byte was handed to the sink. */
    void firstByte(Pump pump);

    /** The source broke while its bytes were spliced; copied ones bring that to its pipeline. */
    void sourceFailed(Pump pump, Throwable cause);
  }

  enum Phase {
    HOLDING,
    OFFERED,
    FLOWING,
    DRAINING,
    FINISHED,
    DISCARDED
  }

  /**
   * @param limitBytes the most memory this direction may hold
   */
  public Pump(
      Direction direction,
      Channel source,
      BudgetedReceive receive,
      MemoryBudget.Ledger ledger,
      long limitBytes,
      StartGate gate,
      PumpMode mode,
      Path spoolFolder,
      Owner owner) {
    this.direction = direction;
    this.source = source;
    this.receive = receive;
    this.ledger = ledger;
    this.limit = limitBytes;
    this.gate = gate;
    this.spoolFolder = spoolFolder;
    this.owner = owner;
    this.gateOpen = gate instanceof StartGate.Open;
    this.waiting = gateOpen ? NONE_WAITING : new ArrayDeque<>(1);
    this.mayOnlyCopy = mode == PumpMode.COPY;
    this.splicesBulkAlone = mode == PumpMode.AUTO;
  }

  public Direction direction() {
    return direction;
  }

  /**
   * Starts reading. Bytes that the source had already delivered come first, through {@link
   * #received}.
   */
  public void start() {
    receive.readFor(this);
    tryGate();
    readMore();
  }

  /** Bytes from the source; takes over the reference. */
  public void received(ByteBuf bytes) {
    if (phase == Phase.DISCARDED || phase == Phase.FINISHED || phase == Phase.DRAINING) {
      bytes.release();
      return;
    }
    delivering = true;
    if (!receive.expectsBulk()) {
      ledger.courtesy().read(bytes.readableBytes(), bytes.writableBytes());
    }
    if (gateOpen || gate instanceof StartGate.WholeDirection) {
      tally.came(bytes.readableBytes());
      countCarried();
      Chunk chunk = new Chunk(bytes, Math.max(bytes.capacity(), bytes.readableBytes()));
      charge(chunk.memory);
      if (gate instanceof StartGate.WholeDirection whole) {
        store(chunk, whole);
      } else {
        pass(chunk);
      }
      return;
    }
    if (gate instanceof StartGate.AfterWindows windows && windowTimer == null) {
      startWindowTimer(windows);
    }
    holdBack(bytes);
  }

  /** On the way to the sink, as far as there is one. */
  private void pass(Chunk chunk) {
    switch (phase) {
      case HOLDING -> kept.add(chunk);
      case OFFERED -> {
        kept.add(chunk);
        offer(chunk);
      }
      case FLOWING -> {
        if (splice != null) {
          // Where the peer's end came with bytes, Netty reads twice, the second time though reading
          // was taken over meanwhile. What follows these bytes must not overtake them.
          splice.leave();
        }
        if (splice == null) {
          write(chunk);
        } else {
          kept.add(chunk);
        }
      }
      case DRAINING, FINISHED, DISCARDED -> throw new IllegalStateException(phase.name());
    }
  }

  /**
   * Keeps bytes behind the gate, without the gaps that short reads leave in their buffers: so many
   * bytes take so much memory, however they came, and a threshold is met by bytes alone. No piece
   * reaches across the end of a chunk.
   */
  private void holdBack(ByteBuf bytes) {
    while (bytes.isReadable()) {
      ByteBuf last = waiting.peekLast();
      if (last == null || !last.isWritable()) {
        int room =
            gate instanceof StartGate.Chunks(long chunkBytes)
                ? (int) Math.min(PIECE_BYTES, chunkBytes - tally.bytesIn() % chunkBytes)
                : PIECE_BYTES;
        last = source.alloc().directBuffer(room, room);
        charge(room);
        waitingMemory += room;
        waiting.add(last);
      }
      int length = Math.min(bytes.readableBytes(), last.writableBytes());
      last.writeBytes(bytes, length);
      tally.came(length);
    }
    countCarried();
    bytes.release();
  }

  /** What the gate held back leaves, as far as the direction's byte {@code end}. */
  private void letThrough(long end) {
    for (ByteBuf piece = waiting.peek();
        piece != null && end - passedBytes >= piece.readableBytes();
        piece = waiting.peek()) {
      waiting.remove();
      waitingMemory -= piece.capacity();
      passedBytes += piece.readableBytes();
      pass(new Chunk(piece, piece.capacity()));
    }
    flush();
  }

  private void openGate() {
    if (gateOpen || phase == Phase.DISCARDED) {
      return;
    }
    gateOpen = true;
    cancelTimer();
    letThrough(Long.MAX_VALUE);
  }

  /** The source's read loop is over: what was written may be flushed, and more may be read. */
  public void readComplete() {
    reading = false;
    delivering = false;
    countCarried();
    if (unwritten > 0 && sourceEnded) {
      flushWithEnd();
    } else if (unwritten > 0 && isEndNext()) {
      flushBehindThis();
    } else {
      flush();
    }
    tryGate();
    trySplice();
    readMore();
    stalls.waitsFor(cause());
  }

  /** Whether what was read is all, and the next that the source's event brings is its end. */
  private boolean isEndNext() {
    if (receive.hasReadTheEnd()) {
      return true;
    }
    Readiness readiness = receive.hasCaughtUp() ? Readiness.of(source) : null;
    return readiness != null && readiness.hasEnded();
  }

  /** So that the last bytes may leave together with the end, which is read next if it can be. */
  private void flushBehindThis() {
    if (!flushWaits) {
      flushWaits = true;
      source
          .eventLoop()
          .execute(() -> {
            flushWaits = false;
            flush();
          });
    }
  }

  /** The source has ended, and what is unwritten is all that keeps its end from being passed on. */
  private void flushWithEnd() {
    Channel to = sink;
    if (to != null && phase == Phase.FLOWING && spool == null && splice == null) {
      Closing.gatherWithEnd(to);
    }
    flush();
  }

  private void flush() {
    Channel to = sink;
    boolean gives = phase == Phase.OFFERED || phase == Phase.FLOWING || phase == Phase.DRAINING;
    if (to != null && gives) {
      to.flush();
    }
  }

  /** The source has finished in good order. */
  public void sourceEnded() {
    if (sourceEnded) {
      return;
    }
    sourceEnded = true;
    countCarried();
    tryGate();
    if (flushWaits) {
      flushWithEnd();
    }
    if (spool != null) {
      readSpool();
    }
    if (splice != null) {
      splice.leave();
    }
    finishIfDone();
  }

  /** Whether the source was read to its end, which {@link #sourceEnded()} may not have told yet. */
  public boolean hasReadTheEnd() {
    return receive.hasReadTheEnd();
  }

  /** Whether {@link #sourceEnded()} was called. */
  public boolean hasSourceEnded() {
    return sourceEnded;
  }

  /**
   * Where the bytes go from now on. Called again with another sink when the first one died before
   * it had confirmed the stream.
   *
   * @param confirmed false where the sink must confirm the stream first
   */
  public void sinkReady(Channel newSink, boolean confirmed) {
    if (phase == Phase.DISCARDED) {
      return;
    }
    if (phase != Phase.HOLDING && phase != Phase.OFFERED) {
      throw new IllegalStateException("a second sink in phase " + phase);
    }
    attempt++;
    unwritten = 0;
    for (Chunk chunk = kept.first; chunk != null; chunk = chunk.next) {
      chunk.written = false;
    }
    sink = newSink;
    sinkConfirmed = confirmed;
    if (limit < UnsentLimit.BYTES) {
      UnsentLimit.copying(newSink, limit);
    }
    phase = Phase.HOLDING;
    release();
  }

  /** The sink has confirmed the stream: nothing need be kept for another one. */
  public void sinkConfirmed() {
    sinkConfirmed = true;
    if (phase != Phase.OFFERED) {
      return;
    }
    phase = Phase.FLOWING;
    for (Chunk chunk = kept.poll(); chunk != null; chunk = kept.poll()) {
      chunk.bytes.release();
      chunk.confirmed = true;
      if (chunk.written) {
        discharge(chunk.memory);
      }
    }
    finishIfDone();
    readMore();
    noticeRelief();
  }

  /** The sink died before confirming; what was offered is kept for the next one. */
  public void sinkLost() {
    if (phase == Phase.OFFERED) {
      phase = Phase.HOLDING;
    }
    attempt++;
    unwritten = 0;
    sink = null;
  }

  /**
   * Stops for good and frees what is held. Bytes already given to the sink's channel go their way.
   */
  public void discard() {
    if (phase == Phase.FINISHED || phase == Phase.DISCARDED) {
      return;
    }
    phase = Phase.DISCARDED;
    stalls.stop();
    cancelTimer();
    countCarried();
    if (splice != null) {
      discharge((int) splice.stop());
      splice = null;
    }
    for (Chunk chunk = kept.poll(); chunk != null; chunk = kept.poll()) {
      chunk.bytes.release();
      if (!chunk.confirmed) {
        discharge(chunk.memory);
      }
    }
    for (ByteBuf piece = waiting.poll(); piece != null; piece = waiting.poll()) {
      discharge(piece.capacity());
      piece.release();
    }
    waitingMemory = 0;
    if (spool != null) {
      spool.close();
      spool = null;
    }
  }

  /**
   * The source broke: no more is read, and {@code then} runs once all that was read has been handed
   * to the sink's kernel. What was to be stored whole is not whole, and none of it is handed on.
   */
  public void drain(Runnable then) {
    if (!(gate instanceof StartGate.WholeDirection)) {
      openGate(); // while this is no end yet, so that none is passed on
    }
    sourceEnded = true;
    countCarried();
    if (phase != Phase.FLOWING || spool != null) {
      discard();
      then.run();
      return;
    }
    phase = Phase.DRAINING;
    whenDrained = then;
    if (splice != null) {
      splice.leave();
    }
    drainedIfDone();
  }

  private void drainedIfDone() {
    Runnable then = whenDrained;
    if (phase == Phase.DRAINING && unwritten == 0 && splice == null && then != null) {
      whenDrained = null;
      then.run();
    }
  }

  public long bytesIn() {
    return tally.bytesIn();
  }

  public long bytesOut() {
    return tally.bytesOut();
  }

  /** Of {@link #bytesOut()}, those that never came into this process. */
  public long splicedBytes() {
    return tally.splicedBytes();
  }

  public long heldBytes() {
    return tally.heldBytes();
  }

  public long peakHeldBytes() {
    return tally.peakHeldBytes();
  }

  /** Whether bytes wait for nothing but a sink. */
  public boolean hasKept() {
    return !kept.isEmpty();
  }

  /** For how long it has waited, by what for. */
  public Stalls stalls() {
    return stalls.read();
  }

  /** Whether the source's end was passed on. */
  public boolean isFinished() {
    return finished;
  }

  @Override
  public long allowance() {
    if (phase == Phase.DISCARDED) {
      return 0;
    }
    countCarried();
    // Half a record that a handler carries cannot be passed on before its rest has been read: to
    // the relay's budget it is as nothing held, or both would wait for each other.
    long room =
        Math.min(
            limit - GRACE_BYTES - tally.heldBytes(), ledger.allowance(tally.heldBytes() - carried));
    return Math.min(room, ledger.courtesy().bite());
  }

  @Override
  public void reads(int bytes) {
    ledger.reserve(bytes);
  }

  /** Counts what a handler before this one has read and not passed on, until the direction ends. */
  private void countCarried() {
    int now = phase == Phase.DISCARDED || sourceEnded ? 0 : receive.carried();
    if (now > carried) {
      charge(now - carried);
    } else if (now < carried) {
      discharge(carried - now);
    }
    carried = now;
  }

  /** Reads on when there is room; called whenever room may have come about. */
  public void readMore() {
    if (splice != null && splice.isMoving()) {
      splice.readOn();
      return;
    }
    if (reading || sourceEnded || phase == Phase.DISCARDED || phase == Phase.FINISHED) {
      return;
    }
    if (allowance() >= LEAST_READ) {
      reading = true;
      source.read();
    } else if (waitingMemory > 0 && waitingMemory == tally.heldBytes() - carried) {
      // Nothing on its way out will make room: the gate would stay shut for ever.
      letGo();
    }
  }

  private void letGo() {
    if (gate instanceof StartGate.Chunks) {
      letThrough(Long.MAX_VALUE);
    } else {
      openGate();
    }
  }

  /** What it waits for now. True between events: while one is handled, much is under way. */
  private Stall cause() {
    boolean mayRead = splice == null && !reading && !sourceEnded;
    if (mayRead && limit - GRACE_BYTES - tally.heldBytes() >= LEAST_READ) {
      return Stall.BUDGET;
    }
    return gateOpen && tally.heldBytes() > 0 ? Stall.SINK : Stall.DATA;
  }

  private void noticeRelief() {
    if (stalls.isHeldUp()) {
      stalls.waitsFor(cause());
    }
  }

  private void charge(int bytes) {
    tally.holds(bytes);
    ledger.charge(bytes);
  }

  private void discharge(int bytes) {
    tally.holds(-bytes);
    ledger.release(bytes);
  }

  private void tryGate() {
    if (gateOpen || phase == Phase.DISCARDED) {
      return;
    }
    if (sourceEnded) {
      openGate();
      return;
    }
    switch (gate) {
      case StartGate.AfterBytes(long bytes) when tally.bytesIn() >= bytes -> openGate();
      case StartGate.Chunks(long bytes) -> letThrough(tally.bytesIn() - tally.bytesIn() % bytes);
      case StartGate.Open _,
          StartGate.AfterBytes _,
          StartGate.AfterWindows _,
          StartGate.WholeDirection _ -> {}
    }
  }

  private void startWindowTimer(StartGate.AfterWindows windows) {
    TcpInfo info = TcpInfo.of(source);
    Duration rtt = info == null ? windows.otherwise() : info.rtt();
    windowTimer =
        source
            .eventLoop()
            .schedule(
                this::openGate,
                rtt.multipliedBy(windows.windows()).toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private void cancelTimer() {
    if (windowTimer != null) {
      windowTimer.cancel(false);
    }
  }

  /** A sink is there: what passed the gate before goes out. */
  private void release() {
    Channel to = sink;
    if (to == null || phase != Phase.HOLDING) {
      return;
    }
    if (sinkConfirmed) {
      phase = Phase.FLOWING;
      writeKept();
    } else {
      phase = Phase.OFFERED;
      for (Chunk chunk = kept.first; chunk != null; chunk = chunk.next) {
        offer(chunk);
      }
    }
    to.flush();
    if (spool != null) {
      readSpool();
    }
    finishIfDone();
    trySplice();
    readMore();
    noticeRelief();
  }

  private void writeKept() {
    for (Chunk chunk = kept.poll(); chunk != null; chunk = kept.poll()) {
      write(chunk);
    }
  }

  private void write(Chunk chunk) {
    chunk.confirmed = true;
    chunk.attempt = attempt;
    send(chunk.bytes, chunk);
  }

  private void offer(Chunk chunk) {
    int current = attempt;
    send(chunk.bytes.retainedDuplicate(), future -> written(chunk, current, future));
  }

  private void send(ByteBuf bytes, ChannelFutureListener done) {
    Channel to = sink;
    if (to == null) {
      bytes.release();
      throw new IllegalStateException("no sink in phase " + phase);
    }
    unwritten++;
    to.write(bytes).addListener(done);
  }

  private void written(Chunk chunk, int ofAttempt, ChannelFuture future) {
    if (ofAttempt != attempt) {
      return; // of a sink that was given up; the chunk is still kept for the next
    }
    unwritten--;
    chunk.written = true;
    if (chunk.confirmed) {
      discharge(chunk.memory);
    }
    if (phase == Phase.DISCARDED) {
      return;
    }
    Throwable failure = future.cause();
    if (failure != null) {
      owner.sinkFailed(this, failure);
      return;
    }
    if (tally.bytesOut() == 0) {
      owner.firstByte(this);
    }
    if (!chunk.counted) {
      chunk.counted = true;
      tally.went(chunk.length);
    }
    if (spool != null) {
      readSpool();
    }
    finishIfDone();
    drainedIfDone();
    trySplice();
    readMore();
    noticeRelief();
  }

  /**
   * Leaves the moving of bytes to the kernel, where that is wanted and nothing of Netty's stands
   * between: nothing read or written that is not the sink's yet, no handler but the stream's own.
   */
  private void trySplice() {
    Channel to = sink;
    if (mayOnlyCopy
        || !gateOpen
        || delivering
        || splice != null
        || spool != null
        || sourceEnded
        || receive.hasReadTheEnd()
        || unwritten > 0
        || phase != Phase.FLOWING
        || to == null
        || (splicesBulkAlone && !isReliefNeeded())
        || !isPlain(source)
        || !isPlain(to)) {
      return;
    }
    ChannelOutboundBuffer pending = to.unsafe().outboundBuffer();
    if (pending == null || !pending.isEmpty()) {
      return;
    }
    splice = Splice.begin(source, to, limit, new Spliced());
    mayOnlyCopy = splice == null;
  }

  private boolean isReliefNeeded() {
    Readiness readiness = receive.lastBytesRead() >= BULK_READ ? Readiness.of(source) : null;
    return readiness != null && readiness.isLoopBusy();
  }

  private static boolean isPlain(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    return channel.isActive() && first != null && first.equals(channel.pipeline().lastContext());
  }

  private void finishIfDone() {
    Channel to = sink;
    boolean holds = unwritten > 0 || spool != null || splice != null;
    if (!sourceEnded || phase != Phase.FLOWING || holds || to == null) {
      return;
    }
    phase = Phase.FINISHED;
    stalls.stop();
    cancelTimer();
    if (owner.endsWith(this) && Closing.isByClose(to)) {
      finished = true;
      owner.finished(this);
      return;
    }
    Closing.finishOutput(to)
        .addListener(future -> {
          Throwable failure = future.cause();
          if (failure != null) {
            owner.sinkFailed(this, failure);
          } else {
            finished = true;
            owner.finished(this);
          }
        });
  }

  private void store(Chunk chunk, StartGate.WholeDirection whole) {
    Spool to = spool;
    if (to == null) {
      to = new Spool(spoolFolder, whole.spoolBytes());
      spool = to;
    }
    to.append(chunk.bytes)
        .whenCompleteAsync(
            (_, failure) -> {
              discharge(chunk.memory);
              if (phase == Phase.DISCARDED) {
                return;
              }
              if (failure != null) {
                owner.pumpFailed(this, failure);
              } else {
                readSpool();
                readMore();
              }
            },
            source.eventLoop());
  }

  /** Feeds stored bytes to the sink, one piece at a time within the limit. */
  private void readSpool() {
    Spool from = spool;
    if (from == null || !gateOpen || !sourceEnded || spoolReading || sink == null) {
      return;
    }
    if (from.exhausted()) {
      from.close();
      spool = null;
      finishIfDone();
      return;
    }
    if (!from.settled() || tally.heldBytes() + Spool.PIECE_BYTES > limit - GRACE_BYTES) {
      return;
    }
    spoolReading = true;
    from.next(source.alloc())
        .whenCompleteAsync(
            (bytes, failure) -> {
              spoolReading = false;
              if (phase == Phase.DISCARDED) {
                if (bytes != null) {
                  bytes.release();
                }
                return;
              }
              if (failure != null) {
                owner.pumpFailed(this, failure);
                return;
              }
              Chunk chunk = new Chunk(bytes, bytes.capacity());
              charge(chunk.memory);
              if (phase == Phase.FLOWING) {
                write(chunk);
              } else {
                kept.add(chunk);
                if (phase == Phase.OFFERED) {
                  offer(chunk);
                }
              }
              Channel to = sink;
              if (to != null) {
                to.flush();
              }
              readSpool();
            },
            source.eventLoop());
  }

  /** What a splice does to this direction's books. */
  private final class Spliced implements Splice.Host {
    private int messages;

    /** The loop has time to spare again, or carries messages: small pieces are no bulk. */
    @Override
    public boolean wouldRatherCopy() {
      if (!splicesBulkAlone) {
        return false;
      }
      Readiness readiness = Readiness.of(source);
      return messages >= MESSAGES
          || ledger.courtesy().bite() < BULK_READ
          || (readiness != null && readiness.isLoopLight());
    }

    @Override
    public long room() {
      return allowance();
    }

    @Override
    public void takes(int most) {
      reads(most);
    }

    @Override
    public void took(int bytes) {
      reads(0);
      if (bytes > 0) {
        messages = bytes <= Courtesy.LONGEST_MESSAGE ? messages + 1 : 0;
        tally.came(bytes);
        charge(bytes);
        stalls.waitsFor(cause());
      }
    }

    @Override
    public void gave(int bytes) {
      discharge(bytes);
      if (tally.bytesOut() == 0) {
        owner.firstByte(Pump.this);
      }
      tally.wentSpliced(bytes);
      noticeRelief();
    }

    @Override
    public void sourceReturned(boolean forGood) {
      mayOnlyCopy |= forGood;
      readMore();
    }

    @Override
    public void over() {
      splice = null;
      Channel to = sink;
      if (to != null && !kept.isEmpty()) {
        writeKept();
        to.flush();
      }
      finishIfDone();
      drainedIfDone();
      readMore();
      noticeRelief();
    }

    @Override
    public void sourceFailed(IOException cause) {
      owner.sourceFailed(Pump.this, cause);
    }

    @Override
    public void sinkFailed(IOException cause) {
      owner.sinkFailed(Pump.this, cause);
    }
  }

  /** Chunks in their order, linked by themselves: most directions are idle and keep none. */
  private static final class Line {
    private @Nullable Chunk first;
    private @Nullable Chunk last;

    void add(Chunk chunk) {
      Chunk before = last;
      if (before == null) {
        first = chunk;
      } else {
        before.next = chunk;
      }
      last = chunk;
    }

    @Nullable Chunk poll() {
      Chunk polled = first;
      if (polled != null) {
        first = polled.next;
        polled.next = null;
        if (first == null) {
          last = null;
        }
      }
      return polled;
    }

    boolean isEmpty() {
      return first == null;
    }
  }

  /** Bytes of one read and what has become of them; hears itself that they were written. */
  private final class Chunk implements ChannelFutureListener {
    final ByteBuf bytes;
    final int length;
    final int memory;
    @Nullable Chunk next;
    int attempt;
    boolean written;
    boolean confirmed;
    boolean counted;

    Chunk(ByteBuf bytes, int memory) {
      this.bytes = bytes;
      this.length = bytes.readableBytes();
      this.memory = memory;
    }

    @Override
    public void operationComplete(ChannelFuture future) {
      written(this, attempt, future);
    }
  }
}
