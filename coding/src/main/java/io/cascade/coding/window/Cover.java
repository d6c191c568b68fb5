package io.cascade.coding.window;

/**
 * The symbols that a repair covers, ascending, with a coefficient for each. Reused from repair to
 * repair.
 */
public final class Cover {
  /** Most symbols of a range that is covered beside gaps. */
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
   * @param count symbols of the tail; 0 for a repair over gaps alone, which then ends below first
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

  /** Highest id covered, or -1 where none is. */
  public long last() {
    return size == 0 ? -1 : ids[size - 1];
  }

  /** Lowest id covered, or -1 where none is. */
  public long lowest() {
    return size == 0 ? -1 : ids[0];
  }
}
