package io.cascade.client.entries;

import static io.cascade.client.entries.PaxFormat.BLOCK;

import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a sparse file that hold data. In a stream the map precedes the data as in GNU tar's
 * format 1.0: the number of pieces, then offset and length of each, decimal and each with a
 * newline, and zeros up to the next block.
 */
final class DataMap {
  /** Smaller files are not searched for holes. */
  static final long LEAST_FILE_BYTES = 1 << 20;

  /** Shorter holes are sent as zeros. */
  static final long LEAST_HOLE_BYTES = 64 << 10;

  /** Everything behind so many pieces counts as one piece. */
  static final int MOST_PIECES = 32_768;

  /** Digits of a length, and a newline. */
  static final int MOST_NUMBER_CHARS = 19;

  private final long[] pieces;

  /**
   * @param pieces offset and length of each piece in turn, in ascending order
   */
  DataMap(long... pieces) {
    this.pieces = pieces;
  }

  /**
   * Finds the data of a file.
   *
   * @return null where the file has no hole
   */
  static @Nullable DataMap of(SparseFile file, long from, long size) throws IOException {
    long[] found = new long[16];
    int count = 0;
    boolean hasHoles = false;
    long at = from;
    while (at < size) {
      long begin = Math.min(file.nextData(at), size);
      boolean isLast = count == 2 * (MOST_PIECES - 1);
      long end = begin < size && !isLast ? Math.min(file.nextHole(begin), size) : size;
      if (begin - at >= LEAST_HOLE_BYTES) {
        hasHoles = true;
      } else {
        begin = at;
      }
      boolean isJoined = count > 0 && begin == found[count - 2] + found[count - 1];
      if (isJoined) {
        found[count - 1] = end - found[count - 2];
      } else {
        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
        found[count++] = begin; // An empty piece at the end gives the length of the file.
        found[count++] = end - begin;
      }
      at = Math.max(end, begin);
    }
    return hasHoles ? new DataMap(Arrays.copyOf(found, count)) : null;
  }

  int count() {
    return pieces.length / 2;
  }

  long offset(int piece) {
    return pieces[2 * piece];
  }

  long length(int piece) {
    return pieces[2 * piece + 1];
  }

  long bytes() {
    long all = 0;
    for (int i = 0; i < count(); i++) {
      all += length(i);
    }
    return all;
  }

  /** The text that precedes the data. */
  byte[] encode() {
    StringBuilder text = new StringBuilder().append(count()).append('\n');
    for (long number : pieces) {
      text.append(number).append('\n');
    }
    byte[] all = text.toString().getBytes(StandardCharsets.US_ASCII);
    return Arrays.copyOf(all, all.length + PaxFormat.padding(all.length));
  }

  /** Reads a map, a block at a time. */
  static final class Reader {
    private long @Nullable [] pieces;
    private int read;
    private long number;
    private int digits;
    private final long size;

    /**
     * @param size bytes of the file
     */
    Reader(long size) {
      this.size = size;
    }

    /**
     * Reads the next block.
     *
     * @return the map once it is complete
     * @throws IllegalArgumentException where the text is not a map
     */
    @Nullable DataMap accept(byte[] block) {
      for (int i = 0; i < BLOCK; i++) {
        byte next = block[i];
        long[] known = pieces;
        if (known != null && read == known.length) {
          require(next == 0);
        } else if (next == '\n') {
          require(digits > 0);
          number();
        } else {
          require(next >= '0' && next <= '9' && ++digits < MOST_NUMBER_CHARS);
          number = number * 10 + next - '0';
        }
      }
      long[] known = pieces;
      return known != null && read == known.length ? new DataMap(known) : null;
    }

    private void number() {
      long[] known = pieces;
      if (known == null) {
        require(number <= MOST_PIECES);
        pieces = new long[2 * (int) number];
      } else {
        boolean isLength = read % 2 == 1;
        long least = read == 0 ? 0 : isLength ? 0 : known[read - 2] + known[read - 1];
        require(number >= least && number <= (isLength ? size - known[read - 1] : size));
        known[read++] = number;
      }
      number = 0;
      digits = 0;
    }

    private static void require(boolean is) {
      if (!is) {
        throw new IllegalArgumentException("not a map of data");
      }
    }
  }
}
