package io.cascade.coding.window;

/**
 * The symbols that a repair covers, in ascending order, with a coefficient for each. Reused for
 * every repair.
 */
public final class Cover {
  /** Most symbols of a covered range besides gaps. */
  public static final int MOST_TAIL = RlcCoefficients.MOST_SYMBOLS - GapSet.MOST_SYMBOLS;

  private final long[] ids = new long[RlcCoefficients.MOST_SYMBOLS];
  private final byte[] row = new byte[RlcCoefficients.MOST_SYMBOLS];
  private final RlcCoefficients coefficients = new RlcCoefficients();
  private int size;

  /**
   * Covers the gaps below the tail, then the tail.
   *
   * @param gaps of an acknowledgement, or empty
   * @param first id of the tail
   * @param count symbols of the tail; 0 for a repair over gaps only, which then ends below first
   */
  public void set(GapSet gaps, long first, int count, int repairKey, int density) {
    if (count < 0 || count > MOST_TAIL) {
      throw new IllegalArgumentException("symbols of a tail: " + count);
    }
    size = gaps.below(first, ids, 0);
    for (int i = 0; i < count; i++) {
      ids[size++] = first + i;
    }
    coefficients.fill(repairKey, density, row, size);
  }

  public int size() {
    return size;
  }

  long id(int index) {
    return ids[index];
  }

  int coefficient(int index) {
    return row[index] & 0xff;
  }

  /** Highest covered id, or -1 if there is none. */
  public long last() {
    return size == 0 ? -1 : ids[size - 1];
  }

  /** Lowest covered id, or -1 if there is none. */
  public long lowest() {
    return size == 0 ? -1 : ids[0];
  }
}
