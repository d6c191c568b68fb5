package io.cascade.client.transfer;

import io.cascade.client.transfer.BlockLedger.Range;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks of a pipe that were read and have not arrived, so that they can be sent again although the
 * pipe yields them once. Bounded: who reads on asks {@link #hasRoom} first. Used by any thread.
 */
final class KeptBlocks {
  /** Most bytes under way and not confirmed: 100 ms at 670 Mbit/s. */
  static final long MOST_BYTES = 8L << 20;

  private final Map<Long, byte[]> blocks = new HashMap<>();
  private long bytes;

  /** Whether a block of so many bytes may be read. */
  synchronized boolean hasRoom(int more) {
    return bytes + more <= MOST_BYTES;
  }

  /** Keeps a copy of a block. */
  synchronized void keep(Range block, ByteBuffer content) {
    byte[] copy = new byte[block.length()];
    content.duplicate().get(copy);
    blocks.put(block.offset(), copy);
    bytes += copy.length;
  }

  /** A block has arrived; it is known already where two connections brought it. */
  synchronized void arrived(Range block) {
    byte[] copy = blocks.remove(block.offset());
    bytes -= copy == null ? 0 : copy.length;
  }

  /** Reads a block that has not arrived. */
  synchronized void read(Range block, ByteBuffer into) {
    byte[] copy = blocks.get(block.offset());
    if (copy == null || copy.length != block.length()) {
      throw new IllegalStateException("a block that was not kept, at " + block.offset());
    }
    into.put(copy);
  }

  /** Bytes that are kept. */
  synchronized long bytes() {
    return bytes;
  }
}
