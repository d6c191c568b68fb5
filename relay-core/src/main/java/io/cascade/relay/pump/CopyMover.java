package io.cascade.relay.pump;

import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes through buffers of this process. {@link Pump} passes it what is read, and decides
 * whether to keep it, to offer it to a sink that has yet to confirm the stream, or to write it.
 */
final class CopyMover implements Mover, Chunk.Writer {
  private static final int LEAST_READ = Pump.LEAST_READ;

  private final Connection source;
  private final Account account;
  private final Host host;
  private final RetransmitBuffer kept = new RetransmitBuffer();
  private @Nullable Connection sink;
  private boolean reading;
  private int attempt;
  private int unwritten;

  CopyMover(Connection source, Account account, Host host) {
    this.source = source;
    this.account = account;
    this.host = host;
  }

  @Override
  public void readOn() {
    if (reading) {
      return;
    }
    if (host.room() >= LEAST_READ) {
      reading = true;
      source.read();
    } else {
      host.starved();
    }
  }

  /** Whether a requested read has not delivered anything yet. */
  boolean isReading() {
    return reading;
  }

  /** The requested read is over. */
  void readComplete() {
    reading = false;
  }

  /** Whether the sink's kernel has accepted everything that was written. */
  boolean isEmpty() {
    return unwritten == 0;
  }

  /** Whether bytes are kept for a sink. */
  boolean hasKept() {
    return !kept.isEmpty();
  }

  /** Changes the sink; a later call writes what was kept. */
  void sink(@Nullable Connection newSink) {
    attempt++; // completions of writes to an earlier sink no longer count
    unwritten = 0;
    for (Chunk chunk = kept.first(); chunk != null; chunk = chunk.next) {
      chunk.written = false;
    }
    sink = newSink;
  }

  /**
   * Keeps bytes until there is a sink.
   *
   * @param bytes taken over; their memory is already charged, as for all incoming bytes
   */
  void keep(ByteBuf bytes, int memory) {
    kept.add(new Chunk(this, bytes, memory));
  }

  /** Writes bytes to the sink, and keeps them for another one. */
  void offer(ByteBuf bytes, int memory) {
    Chunk chunk = new Chunk(this, bytes, memory);
    kept.add(chunk);
    offer(chunk);
  }

  /** Writes bytes to the sink for good. */
  void write(ByteBuf bytes, int memory) {
    write(new Chunk(this, bytes, memory));
  }

  /** Writes the kept bytes to the sink, and keeps them for another one. */
  void offerKept() {
    for (Chunk chunk = kept.first(); chunk != null; chunk = chunk.next) {
      offer(chunk);
    }
  }

  /** Writes the kept bytes to the sink for good. */
  void writeKept() {
    for (Chunk chunk = kept.poll(); chunk != null; chunk = kept.poll()) {
      write(chunk);
    }
  }

  /** The sink that was offered the kept bytes has confirmed all of them. */
  void confirm() {
    if (!kept.isEmpty()) {
      kept.confirm(
          kept.end(),
          chunk -> {
            chunk.confirmed = true;
            if (chunk.written) {
              account.discharge(chunk.memory);
            }
          });
    }
  }

  @Override
  public void stop() {
    if (!kept.isEmpty()) {
      kept.confirm(kept.end(), chunk -> account.discharge(chunk.memory));
    }
  }

  private void write(Chunk chunk) {
    chunk.confirmed = true;
    chunk.attempt = attempt;
    send(chunk.bytes, chunk);
  }

  private void offer(Chunk chunk) {
    int current = attempt;
    send(chunk.bytes.retainedDuplicate(), future -> written(chunk, current, future.cause()));
  }

  private void send(ByteBuf bytes, ChannelFutureListener done) {
    Connection to = sink;
    if (to == null) {
      bytes.release();
      throw new IllegalStateException("no sink");
    }
    unwritten++;
    to.write(bytes).addListener(done);
  }

  @Override
  public void written(Chunk chunk, int ofAttempt, @Nullable Throwable failure) {
    if (ofAttempt != attempt) {
      return; // of an abandoned sink; the chunk is still kept for the next one
    }
    unwritten--;
    chunk.written = true;
    if (chunk.confirmed) {
      account.discharge(chunk.memory);
    }
    if (failure != null) {
      host.sinkFailed(failure);
      return;
    }
    int bytes = chunk.counted ? 0 : chunk.length;
    chunk.counted = true;
    host.gave(bytes, false);
  }
}
