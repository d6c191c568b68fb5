package io.cascade.client.transfer.content;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Set of bytes of a file, as disjoint ranges. Adjacent ranges are merged. */
public final class ByteRanges {
  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long bytes;

  /**
   * Adds the bytes from {@code start} up to {@code end}, exclusive.
   *
   * @return how many of them are new
   */
  public long add(long start, long end) {
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

  /** Adds all bytes of another set. */
  public void addAll(ByteRanges others) {
    others.endByStart.forEach(this::add);
  }

  /** Removes the bytes from {@code start} up to {@code end}, exclusive. */
  public void remove(long start, long end) {
    Map.Entry<Long, Long> near = endByStart.lowerEntry(end);
    while (near != null && near.getValue() > start) {
      endByStart.remove(near.getKey());
      bytes -= near.getValue() - near.getKey();
      long _ = add(near.getKey(), Math.min(start, near.getValue()));
      long _ = add(Math.max(end, near.getKey()), near.getValue());
      near = endByStart.lowerEntry(Math.min(end, near.getKey()));
    }
  }

  /** How many bytes from {@code start} up to {@code end}, exclusive, are in the set. */
  public long overlap(long start, long end) {
    long all = 0;
    Map.Entry<Long, Long> near = endByStart.lowerEntry(end);
    while (near != null && near.getValue() > start) {
      all += Math.min(end, near.getValue()) - Math.max(start, near.getKey());
      near = endByStart.lowerEntry(near.getKey());
    }
    return all;
  }

  /** The first byte from {@code position} on that is not in the set. */
  public long missingFrom(long position) {
    Map.Entry<Long, Long> range = endByStart.floorEntry(position);
    return range == null ? position : Math.max(position, range.getValue());
  }

  /** The first byte behind {@code position} that is in the set; at most {@code most}. */
  public long nextFrom(long position, long most) {
    Long next = endByStart.higherKey(position);
    return next == null ? most : Math.min(most, next);
  }

  /** How many bytes from {@code position} on are in the set. */
  public long bytesFrom(long position) {
    long all = 0;
    for (Map.Entry<Long, Long> range : endByStart.tailMap(position, true).entrySet()) {
      all += range.getValue() - range.getKey();
    }
    Map.Entry<Long, Long> around = endByStart.lowerEntry(position);
    return all + (around == null ? 0 : Math.max(0, around.getValue() - position));
  }

  /** Passes on all ranges in order: the offset of the first byte and that behind the last one. */
  public void forEach(BiConsumer<Long, Long> told) {
    endByStart.forEach(told);
  }

  /** An independent copy. */
  public ByteRanges copy() {
    ByteRanges copy = new ByteRanges();
    copy.addAll(this);
    return copy;
  }

  /** Whether all bytes from {@code start} up to {@code end}, exclusive, are in the set. */
  public boolean contains(long start, long end) {
    Map.Entry<Long, Long> range = endByStart.floorEntry(start);
    return range != null && range.getValue() >= end;
  }

  /** The end of the range that begins at offset 0; 0 where there is none. */
  public long contiguous() {
    return endByStart.getOrDefault(0L, 0L);
  }

  /** Bytes in all ranges. */
  public long bytes() {
    return bytes;
  }

  /** Number of ranges. */
  public int count() {
    return endByStart.size();
  }
}
