package io.cascade.coding.window;

/**
 * The coefficients of a repair symbol, from its key (RFC 8681 §3.6, for GF(2^8)): sender and
 * receiver derive the same row. Contains a generator, so it is used by one thread.
 */
public final class RlcCoefficients {
  /** Density threshold with which no coefficient is 0. */
  public static final int DENSE = 15;

  /** Most symbols that a repair covers: NSS of RFC 8681 has 12 bits. */
  public static final int MOST_SYMBOLS = 4_095;

  private final TinyMt32 generator = new TinyMt32(0);

  /**
   * Fills a row.
   *
   * @param repairKey 0 to 65,535, the generator's seed
   * @param density 0 to 15: a coefficient is not 0 with a probability of (density + 1)/16
   * @param row the result, from its beginning
   * @param count number of coefficients, at most {@link #MOST_SYMBOLS}
   */
  public void fill(int repairKey, int density, byte[] row, int count) {
    if (repairKey < 0 || repairKey > 0xffff || density < 0 || density > DENSE) {
      throw new IllegalArgumentException(
          "repair key: %d, density: %d (expected: 0 to 65535, 0 to 15)"
              .formatted(repairKey, density));
    }
    generator.reset(repairKey);
    for (int i = 0; i < count; i++) {
      row[i] = density < DENSE && generator.next16() > density ? 0 : nonZero();
    }
  }

  private byte nonZero() {
    int coefficient;
    do {
      coefficient = generator.next256();
    } while (coefficient == 0);
    return (byte) coefficient;
  }
}
