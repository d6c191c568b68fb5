package io.cascade.client.transfer.content;

import io.cascade.client.transfer.content.Extents.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Compares a file, as it is read in order, with checksums of its extents. Bytes between them may be
 * skipped. Thread-safe.
 */
public final class ExtentCheck {
  private final List<Extent> expected;
  private final List<Extent> damaged = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private final ByteRanges replaced = new ByteRanges();
  private int next;
  private long position;

  /**
   * @param expected in the order of the file
   */
  public ExtentCheck(List<Extent> expected) {
    this.expected = expected;
  }

  /**
   * Checks the next bytes.
   *
   * @param bytes are not consumed
   * @return extents that ended within them and have another checksum
   */
  public synchronized List<Extent> read(long offset, ByteBuffer bytes) {
    List<Extent> found = new ArrayList<>();
    ByteBuffer rest = bytes.duplicate();
    long at = offset;
    while (next < expected.size() && rest.hasRemaining()) {
      Extent extent = expected.get(next);
      if (extent.end() <= at) { // It was skipped.
        crc.reset();
        next++;
        continue;
      }
      long from = Math.max(extent.offset(), position);
      if (from >= at + rest.remaining()) {
        break;
      }
      int skipped = (int) (Math.max(from, at) - at);
      at += skipped;
      rest.position(rest.position() + skipped);
      int length = (int) Math.min(rest.remaining(), extent.end() - at);
      crc.update(rest.slice(rest.position(), length));
      rest.position(rest.position() + length);
      at += length;
      position = at;
      if (at == extent.end()) {
        if ((int) crc.getValue() != extent.crc()
            && replaced.overlap(extent.offset(), extent.end()) == 0) {
          found.add(extent);
        }
        crc.reset();
        next++;
      }
    }
    damaged.addAll(found);
    return found;
  }

  /** Marks bytes as rewritten: extents that contain some of them are not compared. */
  public synchronized void replaced(long start, long end) {
    long _ = replaced.add(start, end);
  }

  /** Extents that had another checksum. */
  public synchronized List<Extent> damaged() {
    return List.copyOf(damaged);
  }

  /** Restarts with the first byte of the file. */
  public synchronized void restart() {
    crc.reset();
    damaged.clear();
    next = 0;
    position = 0;
  }
}
