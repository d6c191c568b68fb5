package io.cascade.coding.stream;

import java.nio.ByteBuffer;

/**
 * Bytes in order, up to a bound and to what memory allows, in a ring that grows on demand and is
 * freed when it is empty, unless it is small or memory is ample.
 */
final class ByteQueue {
  private static final byte[] NOTHING = new byte[0];
  private static final int SMALLEST = 1_024;

  private final int mostBytes;
  private final StreamMemory memory;
  private byte[] ring = NOTHING;
  private int head;
  private int size;

  /**
   * @param memory consulted before the ring grows
   */
  ByteQueue(int mostBytes, StreamMemory memory) {
    this.mostBytes = mostBytes;
    this.memory = memory;
  }

  int size() {
    return size;
  }

  int room() {
    int length = ringLength(mostBytes);
    while (length > ring.length && !memory.mayHold(length)) {
      length /= 2;
    }
    return Math.max(0, Math.min(mostBytes, length) - size);
  }

  /** Bytes of memory that it occupies; a small empty ring counts as part of its stream. */
  int memoryBytes() {
    return size == 0 && ring.length <= StreamMemory.FLOOR_BYTES ? 0 : ring.length;
  }

  /** Accepts as many bytes as there is room for. */
  int add(ByteBuffer from) {
    int count = Math.min(from.remaining(), room());
    if (size + count > ring.length) {
      grow(size + count);
    }
    for (int left = count; left > 0; ) {
      int at = (head + size) & (ring.length - 1);
      int part = Math.min(left, ring.length - at);
      from.get(ring, at, part);
      size += part;
      left -= part;
    }
    return count;
  }

  /** Removes the first bytes; there must be that many. */
  void remove(ByteBuffer into, int count) {
    for (int left = count; left > 0; ) {
      int part = Math.min(left, ring.length - head);
      into.put(ring, head, part);
      head = (head + part) & (ring.length - 1);
      size -= part;
      left -= part;
    }
    if (size == 0) {
      head = 0;
      if (ring.length > StreamMemory.FLOOR_BYTES && !memory.isAmple()) {
        ring = NOTHING;
      }
    }
  }

  void clear() {
    ring = NOTHING;
    head = 0;
    size = 0;
  }

  private void grow(int needed) {
    byte[] larger = new byte[ringLength(needed)];
    int first = Math.min(size, ring.length - head);
    System.arraycopy(ring, head, larger, 0, first);
    System.arraycopy(ring, 0, larger, first, size - first);
    ring = larger;
    head = 0;
  }

  private static int ringLength(int needed) {
    return Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, needed - 1)) << 1);
  }
}
