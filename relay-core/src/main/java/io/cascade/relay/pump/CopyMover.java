package io.cascade.relay.pump;

import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes through buffers of this process. What is read comes by way of {@link Pump}, which
 * decides whether it is kept, offered to a sink that has yet to confirm the stream, or written.
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

  /** Whether a read was asked for that has not brought anything yet. */
  boolean isReading() {
    return reading;
  }

  /** The read that was asked for is over. */
  void readComplete() {
    reading = false;
  }

  /** Whether all that the sink was given is its kernel's. */
  boolean isEmpty() {
    return unwritten == 0;
  }

  /** Whether bytes are kept for a sink. */
  boolean hasKept() {
    return !kept.isEmpty();
  }

  /** Sends bytes elsewhere from now on; a call that follows gives the sink what was kept. */
  void sink(@Nullable Connection newSink) {
    attempt++; // what an earlier sink says of its writes counts no more
    unwritten = 0;
    for (Chunk chunk = kept.first(); chunk != null; chunk = chunk.next) {
      chunk.written = false;
    }
    sink = newSink;
  }

  /**
   * Keeps bytes until there is a sink for them.
   *
   * @param bytes taken over; their memory is charged already, as for all that comes in
   */
  void keep(ByteBuf bytes, int memory) {
    kept.add(new Chunk(this, bytes, memory));
  }

  /** Gives bytes to the sink, and keeps them for another one. */
  void offer(ByteBuf bytes, int memory) {
    Chunk chunk = new Chunk(this, bytes, memory);
    kept.add(chunk);
    offer(chunk);
  }

  /** Gives bytes to the sink for good. */
  void write(ByteBuf bytes, int memory) {
    write(new Chunk(this, bytes, memory));
  }

  /** Gives the sink what is kept, and keeps it for another one. */
  void offerKept() {
    for (Chunk chunk = kept.first(); chunk != null; chunk = chunk.next) {
      offer(chunk);
    }
  }

  /** Gives the sink what is kept, for good. */
  void writeKept() {
    for (Chunk chunk = kept.poll(); chunk != null; chunk = kept.poll()) {
      write(chunk);
    }
  }

  /** The sink that was offered what is kept has confirmed all of it. */
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
      return; // of a sink that was given up; the chunk is still kept for the next
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
