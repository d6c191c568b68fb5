package io.cascade.client.transfer.content;

import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Holes of at least {@value #LEAST_BYTES} bytes in a file to read: shorter ones are cheaper as
 * zeros. Thread-safe.
 */
public final class Holes implements AutoCloseable {
  public static final int LEAST_BYTES = 64 * 1024;

  /** Smaller files are not searched for holes. */
  private static final long LEAST_FILE_BYTES = 1 << 20;

  /** Most holes that are counted; everything behind them counts as data. */
  private static final int MOST_COUNTED = 1_000_000;

  private final SparseFile file;
  private final long size;

  /**
   * @param file closed with this
   * @param size of the file
   */
  public Holes(SparseFile file, long size) {
    this.file = file;
    this.size = size;
  }

  /** Finds the holes; null where the file has none, or the file system does not report them. */
  public static @Nullable Holes of(Path path, long size) {
    if (size < LEAST_FILE_BYTES || !SparseFile.isAvailable()) {
      return null;
    }
    try {
      Holes holes = new Holes(SparseFile.toRead(path), size);
      if (holes.end(0) > 0 || holes.next(0, size) < size) {
        return holes;
      }
      holes.close();
      return null;
    } catch (IOException e) {
      return null; // The holes are read as zeros.
    }
  }

  /** Bytes outside of holes. */
  public long dataBytes() {
    long holes = 0;
    long at = 0;
    for (int i = 0; at < size && i < MOST_COUNTED; i++) {
      long end = end(at);
      holes += end - at;
      at = next(end, size);
    }
    return size - holes;
  }

  /** End of the hole at a position; the position itself where there is none. */
  public long end(long position) {
    try {
      long end = Math.min(file.nextData(position), size);
      return end - position >= LEAST_BYTES ? end : position;
    } catch (IOException e) {
      return position;
    }
  }

  /** Beginning of the first hole behind a position outside of holes; at most {@code most}. */
  public long next(long position, long most) {
    try {
      for (long at = position; at < most; ) {
        long hole = file.nextHole(at);
        if (hole >= most) {
          return most;
        }
        long data = Math.min(file.nextData(hole), size);
        if (data - hole >= LEAST_BYTES && hole > position) {
          return hole;
        }
        if (data <= at) {
          return most; // The file is being changed, which is detected elsewhere.
        }
        at = data;
      }
    } catch (IOException e) {
      // The holes are read as zeros.
    }
    return most;
  }

  @Override
  public void close() {
    file.close();
  }
}
