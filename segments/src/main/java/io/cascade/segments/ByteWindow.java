package io.cascade.segments;

import io.cascade.segments.ChunkMemory.Chunk;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes of a stream at their offsets, in chunks that are allocated and released as the window
 * moves. An empty window holds none. A view is valid until its bytes are discarded, and on the heap
 * even afterwards.
 */
final class ByteWindow {
  static final int CHUNK_BYTES = ChunkMemory.CHUNK_BYTES;

  private final ChunkMemory memory;
  private final Map<Long, Chunk> chunks = new HashMap<>();

  /** The number of the first kept chunk. */
  private long firstChunk;

  /** Offset after the last stored byte. */
  private long end;

  ByteWindow(ChunkMemory memory) {
    this.memory = memory;
  }

  void put(long offset, ByteBuffer bytes) {
    long at = offset;
    while (bytes.hasRemaining()) {
      Chunk chunk = chunks.computeIfAbsent(at / CHUNK_BYTES, _ -> memory.take());
      int inChunk = (int) (at % CHUNK_BYTES);
      int length = Math.min(bytes.remaining(), CHUNK_BYTES - inChunk);
      chunk.bytes().put(inChunk, bytes, bytes.position(), length);
      bytes.position(bytes.position() + length);
      at += length;
    }
    end = Math.max(end, at);
  }

  /** A read-only view of stored bytes, at most to the end of their chunk. */
  ByteBuffer view(long offset, int most) {
    int inChunk = (int) (offset % CHUNK_BYTES);
    int length = Math.min(most, CHUNK_BYTES - inChunk);
    return chunk(offset).bytes().slice(inChunk, length).asReadOnlyBuffer();
  }

  /** Whether stored bytes differ from these. Consumes nothing. */
  boolean differs(long offset, ByteBuffer bytes) {
    ByteBuffer left = bytes.duplicate();
    long at = offset;
    while (left.hasRemaining()) {
      ByteBuffer held = view(at, left.remaining());
      int length = held.remaining();
      if (held.mismatch(left.slice(left.position(), length)) >= 0) {
        return true;
      }
      left.position(left.position() + length);
      at += length;
    }
    return false;
  }

  /** Releases what precedes the offset. */
  void discardBefore(long offset) {
    if (offset >= end) {
      release();
    }
    long first = offset / CHUNK_BYTES;
    for (long chunk = firstChunk; chunk < first && !chunks.isEmpty(); chunk++) {
      Chunk gone = chunks.remove(chunk);
      if (gone != null) {
        gone.release();
      }
    }
    firstChunk = Math.max(firstChunk, first);
  }

  /** Releases everything. */
  void release() {
    chunks.values().forEach(Chunk::release);
    chunks.clear();
  }

  /** Memory in use. */
  long heldBytes() {
    return (long) chunks.size() * CHUNK_BYTES;
  }

  /** The chunk that contains a stored byte, at the offset modulo the chunk's length. */
  Chunk chunk(long offset) {
    Chunk chunk = chunks.get(offset / CHUNK_BYTES);
    if (chunk == null) {
      throw new IllegalStateException("offset " + offset + " is not held");
    }
    return chunk;
  }
}
