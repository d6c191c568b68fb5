package io.cascade.relay.pump;

import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Store-and-forward: stores the whole direction on disk before it is passed on. */
final class SpoolGate extends Gate {
  private final Pump pump;
  private final Path folder;
  private final long mostBytes;
  private final Connection source;
  private final Account account;
  private @Nullable Spool spool;
  private boolean ended;
  private boolean reading;

  SpoolGate(Pump pump, Path folder, long mostBytes) {
    this.pump = pump;
    this.folder = folder;
    this.mostBytes = mostBytes;
    this.source = pump.source();
    this.account = pump.account();
  }

  @Override
  public void received(ByteBuf bytes) {
    if (pump.takes(bytes)) {
      int memory = Math.max(bytes.capacity(), bytes.readableBytes());
      account.came(bytes.readableBytes());
      pump.countCarried();
      account.charge(memory);
      store(bytes, memory);
    }
  }

  @Override
  public void readComplete() {
    pump.readComplete();
  }

  @Override
  public void sourceEnded() {
    if (!ended) {
      ended = true;
      if (spool == null) {
        pump.sourceEnded();
      } else {
        readOn();
      }
    }
  }

  @Override
  public boolean hasSourceEnded() {
    return ended || pump.hasSourceEnded();
  }

  @Override
  boolean isOpen() {
    return ended;
  }

  @Override
  void roomCame() {
    readOn();
  }

  /** Returns false: the direction is incomplete, so that none of it is passed on. */
  @Override
  boolean sourceBroke() {
    return spool == null;
  }

  @Override
  void discard() {
    Spool from = spool;
    if (from != null) {
      from.close();
      spool = null;
    }
  }

  private void store(ByteBuf bytes, int memory) {
    Spool to = spool;
    if (to == null) {
      to = new Spool(folder, mostBytes);
      spool = to;
    }
    to.append(bytes)
        .whenCompleteAsync(
            (_, failure) -> {
              account.discharge(memory);
              if (pump.isDiscarded()) {
                return;
              }
              if (failure != null) {
                pump.failed(failure);
              } else {
                readOn();
                pump.readMore();
              }
            },
            source.eventLoop());
  }

  /** Passes stored bytes to the pump, one piece at a time within the limit. */
  private void readOn() {
    Spool from = spool;
    if (from == null || !ended || reading || !pump.movers().hasSink()) {
      return;
    }
    if (from.exhausted()) {
      from.close();
      spool = null;
      pump.sourceEnded();
      return;
    }
    if (!from.settled() || !account.hasRoomFor(Spool.PIECE_BYTES)) {
      return;
    }
    reading = true;
    from.next(source.alloc())
        .whenCompleteAsync(
            (bytes, failure) -> {
              reading = false;
              if (pump.isDiscarded()) {
                if (bytes != null) {
                  bytes.release();
                }
              } else if (failure != null) {
                pump.failed(failure);
              } else {
                account.charge(bytes.capacity());
                pump.movers().pass(bytes, bytes.capacity());
                pump.movers().flush();
                readOn();
              }
            },
            source.eventLoop());
  }
}
