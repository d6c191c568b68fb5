package io.cascade.segments;

import java.nio.ByteBuffer;

/** Chunks on the heap, which nobody has to give back. */
record HeapChunks(ByteBuffer bytes) implements ChunkMemory.Chunk {
  static final ChunkMemory MEMORY =
      () -> new HeapChunks(ByteBuffer.allocate(ChunkMemory.CHUNK_BYTES));

  @Override
  public void release() {}
}
