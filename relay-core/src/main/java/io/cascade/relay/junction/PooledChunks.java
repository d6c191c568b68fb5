package io.cascade.relay.junction;

import io.cascade.segments.ChunkMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;

/** Windows of streams in the memory that the relay's buffers have, which its budget is of. */
final class PooledChunks implements ChunkMemory {
  static final PooledChunks INSTANCE = new PooledChunks();

  private PooledChunks() {}

  @Override
  public Chunk take() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(CHUNK_BYTES, CHUNK_BYTES);
    return new Pooled(buffer, buffer.nioBuffer(0, CHUNK_BYTES));
  }

  private record Pooled(ByteBuf buffer, ByteBuffer bytes) implements Chunk {
    @Override
    public void release() {
      buffer.release();
    }
  }
}
