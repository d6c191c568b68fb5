package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes of a stream at their offsets, in chunks that come and go as the window moves on. A chunk's
 * memory is never used twice, so a view stays valid after its bytes were discarded.
 */
final class ByteWindow {
  static final int CHUNK_BYTES = 1 << 16;

  private final Map<Long, byte[]> chunks = new HashMap<>();

  /** Of the first chunk that is kept. */
  private long firstChunk;

  void put(long offset, ByteBuffer bytes) {
    long at = offset;
    while (bytes.hasRemaining()) {
      byte[] chunk = chunks.computeIfAbsent(at / CHUNK_BYTES, _ -> new byte[CHUNK_BYTES]);
      int inChunk = (int) (at % CHUNK_BYTES);
      int length = Math.min(bytes.remaining(), CHUNK_BYTES - inChunk);
      bytes.get(chunk, inChunk, length);
      at += length;
    }
  }

  /** A read-only view of bytes that are there, no longer than the rest of their chunk. */
  ByteBuffer view(long offset, int most) {
    int inChunk = (int) (offset % CHUNK_BYTES);
    int length = Math.min(most, CHUNK_BYTES - inChunk);
    return ByteBuffer.wrap(chunk(offset)).slice(inChunk, length).asReadOnlyBuffer();
  }

  /** Whether bytes that are there differ from these. Consumes nothing. */
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

  /** Lets go of what precedes the offset. */
  void discardBefore(long offset) {
    long first = offset / CHUNK_BYTES;
    for (long chunk = firstChunk; chunk < first && !chunks.isEmpty(); chunk++) {
      chunks.remove(chunk);
    }
    firstChunk = Math.max(firstChunk, first);
  }

  /** Memory in use. */
  long heldBytes() {
    return (long) chunks.size() * CHUNK_BYTES;
  }

  private byte[] chunk(long offset) {
    byte[] chunk = chunks.get(offset / CHUNK_BYTES);
    if (chunk == null) {
      throw new IllegalStateException("offset " + offset + " is not held");
    }
    return chunk;
  }
}
