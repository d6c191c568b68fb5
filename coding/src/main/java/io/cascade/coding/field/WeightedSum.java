package io.cascade.coding.field;

import java.util.Arrays;

/**
 * Adds up many blocks, each times its factor.
 *
 * <p>A factor is a sum of powers of two. So the blocks whose factor has bit k are added without any
 * multiplication, and the eight sums are combined by Horner's rule: seven multiplications by two,
 * however many blocks there are.
 *
 * <p>Used by one thread.
 */
public final class WeightedSum {
  private static final int BITS = 8;

  /** Blocks that are added in one pass. */
  private static final int TOGETHER = 4;

  private final int mostOneByOne;
  private final byte[][] blocks;
  private final int[] factors;
  private int size;

  /** Sums of the blocks whose factor has bit k, by k. */
  private final byte[][] sums;

  /** Blocks that still have to be added to the sum of bit k. */
  private final byte[][][] waiting = new byte[BITS][TOGETHER][];

  private final int[] waitingCount = new int[BITS];

  /**
   * @param mostBlocks most blocks that are added up at a time
   * @param mostBytes of a block
   */
  public WeightedSum(int mostBlocks, int mostBytes) {
    this(mostBlocks, mostBytes, GaloisField.mostOneByOne());
  }

  WeightedSum(int mostBlocks, int mostBytes, int mostOneByOne) {
    this.mostOneByOne = mostOneByOne;
    this.blocks = new byte[mostBlocks][];
    this.factors = new int[mostBlocks];
    this.sums = new byte[BITS][mostBytes];
  }

  /** Removes all blocks. */
  public void clear() {
    size = 0;
  }

  /**
   * Adds a block to the list; it must not change before {@link #addTo}.
   *
   * @param factor 0 to 255
   */
  public void add(byte[] block, int factor) {
    blocks[size] = block;
    factors[size++] = factor & 0xff;
  }

  /** Adds the blocks, each times its factor, to a target. */
  public void addTo(byte[] target, int length) {
    if (size <= mostOneByOne) {
      for (int i = 0; i < size; i++) {
        GaloisField.addProduct(target, blocks[i], length, factors[i]);
      }
      return;
    }
    for (byte[] sum : sums) {
      Arrays.fill(sum, 0, length, (byte) 0);
    }
    for (int i = 0; i < size; i++) {
      addToSums(blocks[i], factors[i], length);
    }
    byte[] total = sums[BITS - 1];
    for (int bit = BITS - 1; bit >= 0; bit--) {
      for (int i = 0; i < waitingCount[bit]; i++) {
        Blocks.add(sums[bit], waiting[bit][i], length);
      }
      waitingCount[bit] = 0;
      if (bit < BITS - 1) {
        Blocks.doubleAndAdd(total, sums[bit], length);
      }
    }
    Blocks.add(target, total, length);
  }

  private void addToSums(byte[] block, int factor, int length) {
    for (int rest = factor; rest != 0; rest &= rest - 1) {
      int bit = Integer.numberOfTrailingZeros(rest);
      byte[][] some = waiting[bit];
      some[waitingCount[bit]++] = block;
      if (waitingCount[bit] == TOGETHER) {
        Blocks.add(sums[bit], some[0], some[1], some[2], some[3], length);
        waitingCount[bit] = 0;
      }
    }
  }
}
