package io.cascade.coding.field;

/**
 * Adds multiples of one block to many targets: the block times 1, 2, 4 … 128 is computed once, and
 * a multiple is the sum of those that the bits of its factor select.
 *
 * <p>Used by one thread.
 */
public final class Multiples {
  private static final int BITS = 8;

  private final int mostOneByOne;

  /** The block times 2^k, by k; the first is the block itself. */
  private final byte[][] powers;

  private final byte[][] selected = new byte[BITS][];
  private int length;

  /** Number of targets since the block was set. */
  private int targets;

  /**
   * @param mostBytes of a block
   */
  public Multiples(int mostBytes) {
    this(mostBytes, GaloisField.mostOneByOne());
  }

  Multiples(int mostBytes, int mostOneByOne) {
    this.mostOneByOne = mostOneByOne;
    this.powers = new byte[BITS][mostBytes];
  }

  /**
   * Sets the block.
   *
   * @param block must not change while its multiples are added
   */
  public void of(byte[] block, int bytes) {
    powers[0] = block;
    length = bytes;
    targets = 0;
  }

  /** Adds {@code factor · block} to a target. */
  public void addTo(byte[] target, int factor) {
    targets++;
    if (targets <= mostOneByOne) {
      GaloisField.addProduct(target, powers[0], length, factor);
      return;
    }
    if (targets == mostOneByOne + 1) {
      for (int bit = 1; bit < BITS; bit++) {
        Blocks.twice(powers[bit], powers[bit - 1], length);
      }
    }
    int count = 0;
    for (int rest = factor & 0xff; rest != 0; rest &= rest - 1) {
      selected[count++] = powers[Integer.numberOfTrailingZeros(rest)];
    }
    while (count >= 4) {
      count -= 4;
      Blocks.add(
          target,
          selected[count],
          selected[count + 1],
          selected[count + 2],
          selected[count + 3],
          length);
    }
    while (count > 0) {
      Blocks.add(target, selected[--count], length);
    }
  }
}
