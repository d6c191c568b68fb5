package io.cascade.relay.pump;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/** Bytes of one read and their progress; listens to its own write. */
final class Chunk implements ChannelFutureListener {
  final ByteBuf bytes;
  final int length;
  final int memory;
  private final Writer writer;

  /** The next chunk in a {@link RetransmitBuffer}. */
  @Nullable Chunk next;

  /** Number of the sink that it was last written to, as counted by the writer. */
  int attempt;

  /** The sink's kernel has accepted it. */
  boolean written;

  /** No other sink will need it. */
  boolean confirmed;

  /** Whether the chunk was counted as passed on, perhaps to an earlier sink. */
  boolean counted;

  /** Writer of chunks, which is told when they were written. */
  interface Writer {
    void written(Chunk chunk, int attempt, @Nullable Throwable failure);
  }

  /**
   * @param bytes taken over
   * @param memory that they occupy, in bytes
   */
  Chunk(Writer writer, ByteBuf bytes, int memory) {
    this.writer = writer;
    this.bytes = bytes;
    this.length = bytes.readableBytes();
    this.memory = memory;
  }

  @Override
  public void operationComplete(ChannelFuture future) {
    writer.written(this, attempt, future.cause());
  }
}
