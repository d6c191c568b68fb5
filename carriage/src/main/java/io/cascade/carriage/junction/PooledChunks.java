package io.cascade.carriage.junction;

import io.cascade.segments.ChunkMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;

/** Windows of streams in the pooled memory of connections' buffers. */
final class PooledChunks implements ChunkMemory {
  /**
   * Fewer octets are copied, since sharing them would hold much more memory than is counted for
   * them.
   */
  static final int LEAST_SHARED = CHUNK_BYTES / 2;

  static final PooledChunks INSTANCE = new PooledChunks();

  private PooledChunks() {}

  @Override
  public Chunk take() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(CHUNK_BYTES, CHUNK_BYTES);
    return new Pooled(buffer, buffer.nioBuffer(0, CHUNK_BYTES));
  }

  /**
   * Returns octets of a chunk, shared with it, or copied if they are few. The chunk's memory is
   * freed once both are released; the result may be released on any thread.
   *
   * @param offset of the first one in the stream
   */
  static ByteBuf octets(Chunk chunk, long offset, int length) {
    ByteBuf buffer = ((Pooled) chunk).buffer();
    int at = (int) (offset % CHUNK_BYTES);
    return length < LEAST_SHARED
        ? PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(buffer, at, length)
        : buffer.retainedSlice(at, length);
  }

  private record Pooled(ByteBuf buffer, ByteBuffer bytes) implements Chunk {
    @Override
    public void release() {
      buffer.release();
    }
  }
}
