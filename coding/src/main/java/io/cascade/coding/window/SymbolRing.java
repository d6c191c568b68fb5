package io.cascade.coding.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Symbols by their ids, the last {@code capacity} of them: a symbol replaces the one whose id is
 * smaller by the capacity. Memory for a place is allocated at its first use and kept.
 */
public final class SymbolRing {
  private static final long NONE = -1;

  private final int symbolBytes;
  private final int mask;
  private final byte[] @Nullable [] places;
  private final long[] ids;

  /**
   * @param capacity a power of two
   * @param symbolBytes of one symbol, including its length field
   */
  public SymbolRing(int capacity, int symbolBytes) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity: " + capacity + " (expected: a power of two)");
    }
    this.symbolBytes = symbolBytes;
    this.mask = capacity - 1;
    this.places = new byte[capacity][];
    this.ids = new long[capacity];
    Arrays.fill(ids, NONE);
  }

  public int symbolBytes() {
    return symbolBytes;
  }

  public int capacity() {
    return ids.length;
  }

  public boolean holds(long id) {
    return id >= 0 && ids[(int) id & mask] == id;
  }

  /** The bytes of a held symbol, which still belong to the ring. */
  public byte[] get(long id) {
    byte[] place = places[(int) id & mask];
    if (!holds(id) || place == null) {
      throw new IllegalStateException("symbol " + id + " is not held");
    }
    return place;
  }

  /** Assigns a place to a symbol and returns it, with its previous bytes. */
  public byte[] put(long id) {
    int at = (int) id & mask;
    byte[] place = places[at];
    if (place == null) {
      place = new byte[symbolBytes];
      places[at] = place;
    }
    ids[at] = id;
    return place;
  }
}
