package io.cascade.segments;

import java.nio.ByteBuffer;

/** Source of the memory of a stream's windows. Used by the thread that uses the stream. */
@FunctionalInterface
public interface ChunkMemory {
  /** Octets of a chunk. */
  int CHUNK_BYTES = 1 << 16;

  /** Takes a chunk. */
  Chunk take();

  /** Memory that is used until it is released. */
  interface Chunk {
    /** The octets; the same buffer each time, whose position and limit nobody moves. */
    ByteBuffer bytes();

    /**
     * Gives it back: the stream uses it no more. What the stream has handed out of it before, by
     * {@link SegmentStream#next} and {@link SegmentStream#readable}, must not be used any more
     * either, unless the caller shares the chunk. An octet that was written to a chunk is not
     * written again.
     */
    void release();
  }
}
