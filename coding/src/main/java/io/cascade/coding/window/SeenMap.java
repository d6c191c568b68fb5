package io.cascade.coding.window;

/**
 * Map of the latest symbols that are seen: known, or the pivot of an equation. One bit per symbol,
 * so that acknowledgements find the few unseen ones among thousands without checking each.
 */
public final class SeenMap {
  private static final int WORD = 6;

  private final long[] bits;
  private final int mask;
  private long end;

  /**
   * @param capacity number of ids that are stored, a power of two, 64 or more
   */
  public SeenMap(int capacity) {
    this.bits = new long[capacity >> WORD];
    this.mask = capacity - 1;
  }

  /** Extends the map to symbols below an id; new ones are unseen. */
  public void extend(long newEnd) {
    for (; end < newEnd; end++) {
      bits[word(end)] &= ~bit(end);
    }
  }

  /** Marks a symbol as seen, for good. */
  public void note(long id) {
    extend(id + 1);
    bits[word(id)] |= bit(id);
  }

  /** The lowest unseen id, starting at {@code from}, or {@code bound} if there is none below. */
  public long nextUnseen(long from, long bound) {
    long id = from;
    while (id < bound) {
      long unseen = ~bits[word(id)] >>> (id & 63);
      if (unseen != 0) {
        return Math.min(bound, id + Long.numberOfTrailingZeros(unseen));
      }
      id += 64 - (id & 63);
    }
    return bound;
  }

  private int word(long id) {
    return ((int) id & mask) >> WORD;
  }

  private static long bit(long id) {
    return 1L << id; // By the low six bits of the id only.
  }
}
