package io.cascade.client.transfer.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Disjoint parts of a file with their checksums. Adjacent ones are joined up to a length that grows
 * with the file, so that their number is bounded by its gaps.
 */
public final class Extents {
  private static final long LEAST_JOINED_BYTES = 4L << 20;
  private static final long MOST_JOINED_BYTES = 1L << 30;

  /** Base-two logarithm of the number of joined extents of a file without gaps. */
  private static final int COUNT_BITS = 17;

  private final TreeMap<Long, Extent> byOffset = new TreeMap<>();
  private final long joinedBytes;

  /** Bytes from the beginning that are held without a known checksum. */
  private long uncheckedBytes;

  /** A part of the file and its CRC-32C. */
  public record Extent(long offset, int length, int crc) {
    /** Offset behind its last byte. */
    public long end() {
      return offset + length;
    }
  }

  /**
   * @param fileBytes size of the file
   */
  public Extents(long fileBytes) {
    this.joinedBytes = Math.clamp(fileBytes >> COUNT_BITS, LEAST_JOINED_BYTES, MOST_JOINED_BYTES);
  }

  /** All of a file, without a checksum: the digest of the whole verifies it. */
  public static Extents ofWhole(long fileBytes) {
    Extents whole = new Extents(fileBytes);
    whole.uncheckedBytes = fileBytes;
    return whole;
  }

  /** Adds an extent; those that it overlaps are removed, since their bytes have changed. */
  public void add(Extent added) {
    remove(added.offset(), added.end());
    Extent whole = added;
    Map.Entry<Long, Extent> before = byOffset.lowerEntry(whole.offset());
    if (before != null && joins(before.getValue(), whole)) {
      whole = join(before.getValue(), whole);
    }
    Extent after = byOffset.get(whole.end());
    if (after != null && joins(whole, after)) {
      byOffset.remove(after.offset());
      whole = join(whole, after);
    }
    byOffset.put(whole.offset(), whole);
  }

  private boolean joins(Extent first, Extent second) {
    return first.end() == second.offset() && (long) first.length() + second.length() <= joinedBytes;
  }

  private static Extent join(Extent first, Extent second) {
    return new Extent(
        first.offset(),
        first.length() + second.length(),
        Crc32c.combine(first.crc(), second.crc(), second.length()));
  }

  /** Removes the extents with bytes from {@code start} up to {@code end}, exclusive. */
  public void remove(long start, long end) {
    Map.Entry<Long, Extent> near = byOffset.lowerEntry(end);
    while (near != null && near.getValue().end() > start) {
      byOffset.remove(near.getKey());
      near = byOffset.lowerEntry(end);
    }
  }

  /** All of them, in the order of the file. */
  public List<Extent> all() {
    return new ArrayList<>(byOffset.values());
  }

  /** The bytes of all extents, and those without a checksum. */
  public ByteRanges ranges() {
    ByteRanges ranges = new ByteRanges();
    long _ = ranges.add(0, uncheckedBytes);
    byOffset.values().forEach(one -> ranges.add(one.offset(), one.end()));
    return ranges;
  }

  boolean isEmpty() {
    return byOffset.isEmpty();
  }
}
