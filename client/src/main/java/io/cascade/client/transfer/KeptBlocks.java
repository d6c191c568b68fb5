package io.cascade.client.transfer;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.wire.Block;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/**
 * Blocks of a pipe that were read and have not arrived, kept so that they can be sent again
 * although the pipe yields them once. Bounded: a reader checks {@link #hasRoom} first. Thread-safe.
 */
final class KeptBlocks {
  /** Most unconfirmed bytes: 100 ms at 670 Mbit/s. */
  static final long MOST_BYTES = 8L << 20;

  private final long most;

  /**
   * Whether the bound applies to all bytes from the first one that has not arrived, including those
   * that have.
   */
  private final boolean countsGaps;

  private final TreeMap<Long, byte[]> blocks = new TreeMap<>();
  private long bytes;
  private long end;

  private KeptBlocks(long most, boolean countsGaps) {
    this.most = most;
    this.countsGaps = countsGaps;
  }

  /** Keeps blocks of a file, which the receiver writes in any order. */
  static KeptBlocks ofStream() {
    return new KeptBlocks(MOST_BYTES, false);
  }

  /** Keeps blocks of entries; the receiver holds in memory what arrives behind a gap. */
  static KeptBlocks ofEntries() {
    return new KeptBlocks(Block.MOST_ENTRIES_AHEAD, true);
  }

  /** Whether a block of so many bytes may be read. */
  synchronized boolean hasRoom(int more) {
    long held = !countsGaps ? bytes : blocks.isEmpty() ? 0 : end - blocks.firstKey();
    return held + more <= most;
  }

  /** Keeps a copy of a block. */
  synchronized void keep(Range block, ByteBuffer content) {
    byte[] copy = new byte[block.length()];
    content.duplicate().get(copy);
    blocks.put(block.offset(), copy);
    bytes += copy.length;
    end = block.end();
  }

  /** Removes an arrived block, which may be unknown already if two connections carried it. */
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
