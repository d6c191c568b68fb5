package io.cascade.client.transfer;

import java.util.Map;
import java.util.TreeMap;

/** Bytes of a file that are there, as disjoint ranges. Ranges that touch are one. */
final class ByteRanges {
  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long bytes;

  /**
   * Adds the bytes from {@code start} up to {@code end}, without {@code end} itself.
   *
   * @return how many of them were not there before
   */
  long add(long start, long end) {
    if (start >= end) {
      return 0;
    }
    long from = start;
    long to = end;
    long known = 0;
    Map.Entry<Long, Long> near = endByStart.floorEntry(end);
    while (near != null && near.getValue() >= start) {
      known += Math.max(0, Math.min(end, near.getValue()) - Math.max(start, near.getKey()));
      from = Math.min(from, near.getKey());
      to = Math.max(to, near.getValue());
      endByStart.remove(near.getKey());
      near = endByStart.floorEntry(end);
    }
    endByStart.put(from, to);
    long added = end - start - known;
    bytes += added;
    return added;
  }

  /**
   * Whether all bytes from {@code start} up to {@code end} are there, without {@code end} itself.
   */
  boolean contains(long start, long end) {
    Map.Entry<Long, Long> range = endByStart.floorEntry(start);
    return range != null && range.getValue() >= end;
  }

  /** The end of the range that begins with the file's first byte; 0 where that is not there. */
  long contiguous() {
    return endByStart.getOrDefault(0L, 0L);
  }

  long bytes() {
    return bytes;
  }

  /** Number of ranges. */
  int count() {
    return endByStart.size();
  }
}
