package io.cascade.carriage.junction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.segments.ChunkMemory;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.Test;

/** Octets that are passed on from the memory of a stream's window. */
class PooledChunksTest {
  private final ChunkMemory.Chunk chunk = PooledChunks.INSTANCE.take();

  @Test
  void longOnesShareTheChunkWhichOutlivesTheWindow() {
    chunk.bytes().put(7, (byte) 42);
    ByteBuf shared =
        PooledChunks.octets(chunk, 5 * ChunkMemory.CHUNK_BYTES + 7, PooledChunks.LEAST_SHARED);
    chunk.release();

    assertThat(shared.getByte(0)).isEqualTo((byte) 42);
    assertThat(shared.release()).isTrue();
    assertIsFree();
  }

  @Test
  void fewOnesDoNotHoldTheChunk() {
    chunk.bytes().put(7, (byte) 42);
    ByteBuf few = PooledChunks.octets(chunk, 7, 10);
    chunk.release();

    assertIsFree();
    assertThat(few.getByte(0)).isEqualTo((byte) 42);
    assertThat(few.readableBytes()).isEqualTo(10);
    few.release();
  }

  private void assertIsFree() {
    assertThatThrownBy(chunk::release).isInstanceOf(IllegalReferenceCountException.class);
  }
}
