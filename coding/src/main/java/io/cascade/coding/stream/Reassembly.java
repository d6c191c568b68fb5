package io.cascade.coding.stream;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of a stream that arrive in any order and are read in order: a ring over offsets, as long as
 * the range it spans. Every byte arrives once, since symbols do. An empty ring is freed, unless it
 * is small or memory is ample.
 */
final class Reassembly {
  /** Bound on ranges: more than a window of symbols can separate. */
  static final int MOST_RANGES = 16_384;

  private static final byte[] NOTHING = new byte[0];
  private static final int SMALLEST = 256;

  private final StreamMemory memory;
  private byte[] ring = NOTHING;
  private long stored;
  private long read;
  private long inOrder;
  private long highest;

  /** Ranges after {@link #inOrder}: from their first offset to the offset after their last. */
  private final TreeMap<Long, Long> ahead = new TreeMap<>();

  Reassembly(StreamMemory memory) {
    this.memory = memory;
  }

  /** Offset of the next byte to read. */
  long read() {
    return read;
  }

  /** Offset after the bytes that may be read. */
  long inOrder() {
    return inOrder;
  }

  /** Offset after the highest byte that has arrived. */
  long highest() {
    return highest;
  }

  /** Number of missing bytes below the highest that has arrived. */
  long missing() {
    return highest - read - stored;
  }

  /** Number of ranges that have arrived after a missing byte. */
  int ranges() {
    return ahead.size();
  }

  /** Bytes of memory that it occupies; a small empty ring counts as part of its stream. */
  int memoryBytes() {
    return read == highest && ring.length <= StreamMemory.FLOOR_BYTES ? 0 : ring.length;
  }

  /**
   * Takes bytes.
   *
   * @return false if some of them have arrived before, or there are too many ranges
   */
  boolean put(long offset, ByteBuffer data) {
    int count = data.remaining();
    if (count == 0) {
      return true;
    }
    long end = offset + count;
    if (offset < inOrder || overlaps(offset, end) || ahead.size() >= MOST_RANGES) {
      return false;
    }
    highest = Math.max(highest, end);
    stored += count;
    if (highest - read > ring.length) {
      grow(highest - read);
    }
    int at = (int) offset & (ring.length - 1);
    int part = Math.min(count, ring.length - at);
    data.get(ring, at, part);
    data.get(ring, 0, count - part);
    note(offset, end);
    return true;
  }

  private boolean overlaps(long offset, long end) {
    Map.Entry<Long, Long> before = ahead.lowerEntry(end);
    return before != null && before.getValue() > offset;
  }

  private void note(long offset, long end) {
    if (offset != inOrder) {
      Map.Entry<Long, Long> before = ahead.lowerEntry(offset);
      if (before != null && before.getValue() == offset) {
        ahead.put(before.getKey(), end);
      } else {
        ahead.put(offset, end);
      }
      return;
    }
    inOrder = end;
    while (!ahead.isEmpty() && ahead.firstKey() == inOrder) {
      inOrder = ahead.pollFirstEntry().getValue();
    }
  }

  /** Copies the next bytes; returns their number. */
  int read(ByteBuffer into) {
    int count = (int) Math.min(into.remaining(), inOrder - read);
    for (int left = count; left > 0; ) {
      int at = (int) read & (ring.length - 1);
      int part = Math.min(left, ring.length - at);
      into.put(ring, at, part);
      read += part;
      left -= part;
    }
    stored -= count;
    if (read == highest && ring.length > StreamMemory.FLOOR_BYTES && !memory.isAmple()) {
      ring = NOTHING;
    }
    return count;
  }

  /** Drops what has arrived and was not read. */
  void clear() {
    ring = NOTHING;
    ahead.clear();
    stored = 0;
    read = highest;
    inOrder = highest;
  }

  private void grow(long needed) {
    int length = (int) Math.max(SMALLEST, Long.highestOneBit(Math.max(1, needed - 1)) << 1);
    byte[] larger = new byte[length];
    // The used part is copied whole, including missing bytes in between.
    int mask = length - 1;
    for (long offset = read; offset < read + ring.length; ) {
      int from = (int) offset & (ring.length - 1);
      int to = (int) offset & mask;
      int part = Math.min(ring.length - from, length - to);
      part = (int) Math.min(part, read + ring.length - offset);
      System.arraycopy(ring, from, larger, to, part);
      offset += part;
    }
    ring = larger;
  }
}
