package io.cascade.relay.pump;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.TcpInfo;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Holds bytes back in memory: up to a threshold of bytes or round trips, or in chunks. */
final class MemoryGate extends Gate {
  /** Size of the pieces in which bytes are kept. */
  static final int PIECE_BYTES = 16 * 1_024;

  /** Shortest pause that is attributed to the source and not to a busy machine. */
  private static final Duration LEAST_SILENCE = Duration.ofMillis(50);

  private final Pump pump;
  private final StartGate kind;
  private final Connection source;
  private final Account account;
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(1);
  private @Nullable ScheduledFuture<?> windowTimer;
  private @Nullable ScheduledFuture<?> silenceTimer;
  private boolean open;
  private boolean ended;
  private long waitingMemory;
  private long passedBytes;

  MemoryGate(Pump pump, StartGate kind) {
    this.pump = pump;
    this.kind = kind;
    this.source = pump.source();
    this.account = pump.account();
  }

  @Override
  public void received(ByteBuf bytes) {
    if (open) {
      pump.received(bytes);
    } else if (pump.takes(bytes)) {
      if (kind instanceof StartGate.AfterWindows windows && windowTimer == null) {
        startTimer(windows);
      }
      holdBack(bytes);
      if (!(kind instanceof StartGate.AfterWindows)) {
        awaitSilence();
      }
    }
  }

  @Override
  void started() {
    openIfDue();
  }

  @Override
  public void readComplete() {
    openIfDue();
    pump.readComplete();
  }

  @Override
  public void sourceEnded() {
    if (!ended) {
      ended = true;
      open();
      pump.sourceEnded();
    }
  }

  @Override
  public boolean hasSourceEnded() {
    return ended || pump.hasSourceEnded();
  }

  @Override
  boolean isOpen() {
    return open;
  }

  /**
   * Opens: no write in progress will free memory, so the gate would otherwise stay closed forever.
   */
  @Override
  void starved() {
    if (waitingMemory > 0 && account.holdsOnly(waitingMemory)) {
      if (kind instanceof StartGate.Chunks) {
        letThrough(Long.MAX_VALUE);
      } else {
        open();
      }
    }
  }

  @Override
  boolean sourceBroke() {
    open();
    return true;
  }

  @Override
  void discard() {
    cancelTimers();
    for (ByteBuf piece = waiting.poll(); piece != null; piece = waiting.poll()) {
      account.discharge(piece.capacity());
      piece.release();
    }
    waitingMemory = 0;
  }

  /**
   * Copies bytes so that short reads leave no gaps in their buffers. A number of bytes then always
   * occupies the same memory, however it arrived, and only bytes count towards a threshold. No
   * piece extends across the end of a chunk.
   */
  private void holdBack(ByteBuf bytes) {
    while (bytes.isReadable()) {
      ByteBuf last = waiting.peekLast();
      if (last == null || !last.isWritable()) {
        int room =
            kind instanceof StartGate.Chunks(long chunkBytes)
                ? (int) Math.min(PIECE_BYTES, chunkBytes - account.bytesIn() % chunkBytes)
                : PIECE_BYTES;
        last = source.alloc().directBuffer(room, room);
        account.charge(room);
        waitingMemory += room;
        waiting.add(last);
      }
      int length = Math.min(bytes.readableBytes(), last.writableBytes());
      last.writeBytes(bytes, length);
      account.came(length);
    }
    pump.countCarried();
    bytes.release();
  }

  private void openIfDue() {
    if (open || pump.isDiscarded()) {
      return;
    }
    switch (kind) {
      case StartGate.AfterBytes(long bytes) when account.bytesIn() >= bytes -> open();
      case StartGate.Chunks(long bytes) ->
          letThrough(account.bytesIn() - account.bytesIn() % bytes);
      case StartGate.Open _,
          StartGate.AfterBytes _,
          StartGate.AfterWindows _,
          StartGate.WholeDirection _ -> {}
    }
  }

  private void open() {
    if (!open && !pump.isDiscarded()) {
      open = true;
      cancelTimers();
      letThrough(Long.MAX_VALUE);
    }
  }

  /** Releases held bytes up to the direction's byte {@code end}. */
  private void letThrough(long end) {
    for (ByteBuf piece = waiting.peek();
        piece != null && end - passedBytes >= piece.readableBytes();
        piece = waiting.peek()) {
      waiting.remove();
      waitingMemory -= piece.capacity();
      passedBytes += piece.readableBytes();
      pump.movers().pass(piece, piece.capacity());
    }
    pump.movers().flush();
  }

  /** Time without a byte after which the source is assumed to wait for an answer. */
  private long silenceNanos() {
    TcpInfo info = source.tcpInfo();
    long ofPath = info == null ? 0 : info.rtt().toNanos() * 3 / 2;
    return Math.max(ofPath, LEAST_SILENCE.toNanos());
  }

  private void awaitSilence() {
    if (silenceTimer != null) {
      silenceTimer.cancel(false);
    }
    silenceTimer = source.eventLoop().schedule(this::silent, silenceNanos(), TimeUnit.NANOSECONDS);
  }

  private void silent() {
    if (pump.isDiscarded()) {
      return;
    }
    if (kind instanceof StartGate.Chunks) {
      letThrough(Long.MAX_VALUE);
    } else {
      open();
    }
  }

  private void startTimer(StartGate.AfterWindows windows) {
    TcpInfo info = source.tcpInfo();
    Duration rtt = info == null ? windows.otherwise() : info.rtt();
    windowTimer =
        source
            .eventLoop()
            .schedule(
                this::open, rtt.multipliedBy(windows.windows()).toNanos(), TimeUnit.NANOSECONDS);
  }

  private void cancelTimers() {
    if (windowTimer != null) {
      windowTimer.cancel(false);
    }
    if (silenceTimer != null) {
      silenceTimer.cancel(false);
    }
  }
}
