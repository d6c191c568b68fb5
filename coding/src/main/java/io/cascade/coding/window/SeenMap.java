package io.cascade.coding.window;

/**
 * Map of the latest symbols that are seen: known, or the pivot of an equation. A bit for each, so
 * that acknowledgements find the few unseen ones among thousands without a look at each symbol.
 */
public final class SeenMap {
  private static final int WORD = 6;

  private final long[] bits;
  private final int mask;
  private long end;

  /**
   * @param capacity ids that are remembered, a power of two of 64 or more
   */
  public SeenMap(int capacity) {
    this.bits = new long[capacity >> WORD];
    this.mask = capacity - 1;
  }

  /** Tells that symbols below an id exist; those new to the map are unseen. */
  public void extend(long newEnd) {
    for (; end < newEnd; end++) {
      bits[word(end)] &= ~bit(end);
    }
  }

  /** Tells that a symbol is seen, and will be. */
  public void note(long id) {
    extend(id + 1);
    bits[word(id)] |= bit(id);
  }

  /** The lowest unseen id from one on, or {@code bound} where there is none below. */
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
    return 1L << id; // Of the low six bits of the id alone.
  }
}
