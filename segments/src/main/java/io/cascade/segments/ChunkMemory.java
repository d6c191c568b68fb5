package io.cascade.segments;

import java.nio.ByteBuffer;

/** Allocates the memory of a stream's windows. Used by the thread that uses the stream. */
@FunctionalInterface
public interface ChunkMemory {
  /** Octets of a chunk. */
  int CHUNK_BYTES = 1 << 16;

  /** Allocates a chunk. */
  Chunk take();

  /** Memory in use until it is released. */
  interface Chunk {
    /** The octets; always the same buffer, whose position and limit are not changed. */
    ByteBuffer bytes();

    /**
     * Releases it: the stream no longer uses it. What the stream has returned of it before, from
     * {@link SegmentStream#next} and {@link SegmentStream#readable}, must not be used any longer
     * either, unless the caller shares the chunk. An octet that was written to a chunk is not
     * written again.
     */
    void release();
  }
}
