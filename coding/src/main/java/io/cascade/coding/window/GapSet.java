package io.cascade.coding.window;

import java.util.Arrays;

/**
 * Symbols that a receiver lacked at one of its acknowledgements, in ascending order: ranges of ids,
 * oldest first, which both ends know. A repair over gaps names the acknowledgement instead of the
 * ids.
 */
public final class GapSet {
  /** Most symbols in a set. */
  public static final int MOST_SYMBOLS = 256;

  /** Most ids from the first symbol of a set to its last. */
  public static final int MOST_SPAN = 1_024;

  public static final GapSet EMPTY = new GapSet(new long[0], new int[0], 0);

  private final long[] firsts;
  private final int[] lengths;

  /**
   * Copies the first ranges of the arrays.
   *
   * @param firsts first id of each range
   * @param lengths of the ranges, at least 1 each
   */
  public GapSet(long[] firsts, int[] lengths, int ranges) {
    this.firsts = Arrays.copyOf(firsts, ranges);
    this.lengths = Arrays.copyOf(lengths, ranges);
  }

  /** Number of ranges. */
  public int ranges() {
    return firsts.length;
  }

  /** First id of a range. */
  public long first(int range) {
    return firsts[range];
  }

  /** Number of ids in a range. */
  public int length(int range) {
    return lengths[range];
  }

  /** Number of symbols. */
  public int size() {
    int size = 0;
    for (int length : lengths) {
      size += length;
    }
    return size;
  }

  /** Highest id, or -1 if there is none. */
  public long last() {
    int ranges = firsts.length;
    return ranges == 0 ? -1 : firsts[ranges - 1] + lengths[ranges - 1] - 1;
  }

  /** Whether a symbol is in the set. */
  public boolean has(long id) {
    int at = Arrays.binarySearch(firsts, id);
    int range = at >= 0 ? at : -at - 2;
    return range >= 0 && id < firsts[range] + lengths[range];
  }

  /**
   * Writes the ids below a bound.
   *
   * @return how many were written
   */
  public int below(long bound, long[] into, int at) {
    int written = 0;
    for (int range = 0; range < firsts.length; range++) {
      for (int i = 0; i < lengths[range]; i++) {
        long id = firsts[range] + i;
        if (id >= bound) {
          return written;
        }
        into[at + written++] = id;
      }
    }
    return written;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GapSet set
        && Arrays.equals(firsts, set.firsts)
        && Arrays.equals(lengths, set.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(firsts) + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int range = 0; range < firsts.length; range++) {
      text.append(range == 0 ? "" : ", ").append(firsts[range]).append('+').append(lengths[range]);
    }
    return text.append(']').toString();
  }
}
