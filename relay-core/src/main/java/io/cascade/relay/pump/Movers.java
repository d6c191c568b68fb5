package io.cascade.relay.pump;

import io.cascade.carriage.transport.Coalescing;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.EpollRegistration;
import io.cascade.carriage.transport.UnsentLimit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The movers of one direction: a {@link CopyMover}, which a {@link SpliceMover} replaces for a
 * while. Decides which of them moves bytes, and when written bytes are flushed. Bytes that are read
 * into buffers during splicing wait until it has ended.
 */
final class Movers implements Mover.Host {
  private final Pump pump;
  private final Connection source;
  private final Account account;
  private final CopyMover copy;
  private final boolean splicesOnlyBulk;
  private Mover reading;
  private @Nullable SpliceMover splice;
  private @Nullable Connection sink;
  private boolean copiesOnly;
  private boolean delivering;
  private boolean flushWaits;

  Movers(Pump pump, Connection source, Account account, PumpMode mode) {
    this.pump = pump;
    this.source = source;
    this.account = account;
    this.copy = new CopyMover(source, account, this);
    this.reading = copy;
    this.copiesOnly = mode == PumpMode.COPY;
    this.splicesOnlyBulk = mode == PumpMode.AUTO;
  }

  /** Continues reading if there is room. */
  void readOn() {
    reading.readOn();
  }

  /** Whether a read is under way, or the kernel reads. */
  boolean isReading() {
    return splice != null || copy.isReading();
  }

  /** Whether the sink has accepted everything that was written. */
  boolean isEmpty() {
    return copy.isEmpty() && splice == null;
  }

  /** Whether bytes wait only for a sink. */
  boolean hasKept() {
    return copy.hasKept();
  }

  boolean hasSink() {
    return sink != null;
  }

  /**
   * Changes the sink; kept bytes are written to it, too.
   *
   * @param confirmed whether the bytes will not be needed for another sink
   */
  void sink(Connection newSink, boolean confirmed) {
    sink = newSink;
    copy.sink(newSink);
    if (account.limit() < UnsentLimit.BYTES) {
      UnsentLimit.copying(newSink, account.limit());
    }
    if (confirmed) {
      copy.writeKept();
    } else {
      copy.offerKept();
    }
    newSink.flush();
  }

  /** The sink has confirmed all that it was offered. */
  void confirm() {
    copy.confirm();
  }

  void sinkLost() {
    sink = null;
    copy.sink(null);
  }

  /** A read delivers its bytes. */
  void delivering() {
    delivering = true;
  }

  /**
   * Writes bytes to the sink, or keeps them if there is none.
   *
   * @param bytes taken over
   * @param memory that they occupy, already charged
   */
  void pass(ByteBuf bytes, int memory) {
    PumpState state = pump.state();
    if (state.isOffered()) {
      copy.offer(bytes, memory);
    } else if (state.isConfirmed()) {
      leaveSplice(); // Netty reads despite splicing if the FIN arrives with bytes
      if (splice == null) {
        copy.write(bytes, memory);
      } else {
        copy.keep(bytes, memory); // after what the pipe holds
      }
    } else if (state.takesBytes()) {
      copy.keep(bytes, memory);
    } else {
      throw new IllegalStateException(state.name());
    }
  }

  /** The source's read loop is over. */
  void readComplete() {
    copy.readComplete();
    delivering = false;
    if (copy.isEmpty()) {
      flush();
    } else if (!pump.state().isSourceOpen()) {
      flushWithEnd();
    } else if (Coalescing.isEndNext(source)) {
      flushBehindThis();
    } else {
      flush();
    }
  }

  /** The source has ended: writes that wait for it are flushed, and splicing ends. */
  void sourceEnded() {
    if (flushWaits) {
      flushWithEnd();
    }
    leaveSplice();
  }

  void leaveSplice() {
    if (splice != null) {
      splice.leave();
    }
  }

  /** Frees what is held. */
  void stop() {
    if (splice != null) {
      splice.stop();
      splice = null;
      reading = copy;
    }
    copy.stop();
  }

  /**
   * Flushes after the end was read, if possible, so that the last bytes can be sent together with
   * the FIN.
   */
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

  /** Flushes the last bytes, after which the end is passed on. */
  private void flushWithEnd() {
    Connection to = sink;
    if (to != null && pump.state() == PumpState.ENDING && splice == null) {
      Coalescing.gatherWithEnd(to);
    }
    flush();
  }

  void flush() {
    Connection to = sink;
    if (to != null && pump.state().hasSink()) {
      to.flush();
    }
  }

  /** Begins to splice if that is wanted and possible, and no read or write is pending. */
  void trySplice() {
    Connection to = sink;
    if (copiesOnly
        || delivering
        || splice != null
        || to == null
        || pump.state() != PumpState.FLOWING
        || !copy.isEmpty()
        || (splicesOnlyBulk && source.receive().lastBytesRead() < Pump.BULK_READ)
        || source.receive().hasReadTheEnd()
        || !pump.isGateOpen()) {
      return;
    }
    EpollRegistration from = source.spliceable();
    EpollRegistration into = to.spliceable();
    if (from == null || into == null || (splicesOnlyBulk && !from.isLoopBusy())) {
      return;
    }
    ChannelOutboundBuffer pending = to.unsafe().outboundBuffer();
    if (pending == null || !pending.isEmpty()) {
      return;
    }
    if (SpliceMover.isPossible()) {
      SpliceMover begun = SpliceMover.begin(from, into, to, account, splicesOnlyBulk, this);
      splice = begun;
      reading = begun;
    } else {
      copiesOnly = true;
    }
  }

  @Override
  public long room() {
    return pump.allowance();
  }

  @Override
  public void took() {
    pump.noticeStall();
  }

  @Override
  public void gave(int bytes, boolean spliced) {
    pump.gave(bytes, spliced);
  }

  @Override
  public void starved() {
    pump.starved();
  }

  @Override
  public void sourceReturned(boolean forGood) {
    copiesOnly |= forGood;
    reading = copy;
    pump.readMore();
  }

  @Override
  public void over() {
    splice = null;
    Connection to = sink;
    if (to != null && copy.hasKept()) {
      copy.writeKept();
      to.flush();
    }
    pump.spliceOver();
  }

  @Override
  public void sourceFailed(IOException cause) {
    pump.sourceFailed(cause);
  }

  @Override
  public void sinkFailed(Throwable cause) {
    pump.sinkFailed(cause);
  }
}
