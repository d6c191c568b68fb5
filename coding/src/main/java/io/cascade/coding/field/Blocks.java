package io.cascade.coding.field;

/**
 * Sums of blocks of bytes, and their doubles. Separate loops over arrays with a common index, which
 * the compiler vectorises.
 */
final class Blocks {
  /** x^8 reduced by the field's polynomial. */
  private static final int REDUCTION = GaloisField.POLYNOMIAL & 0xff;

  private Blocks() {}

  static void add(byte[] sum, byte[] block, int length) {
    for (int i = 0; i < length; i++) {
      sum[i] = (byte) (sum[i] ^ block[i]);
    }
  }

  /** Adds four blocks in one pass, which saves loads and stores of the sum. */
  static void add(byte[] sum, byte[] a, byte[] b, byte[] c, byte[] d, int length) {
    for (int i = 0; i < length; i++) {
      sum[i] = (byte) (sum[i] ^ a[i] ^ b[i] ^ c[i] ^ d[i]);
    }
  }

  /** Multiplies every byte of a total by 2 and adds a block. */
  static void doubleAndAdd(byte[] total, byte[] block, int length) {
    for (int i = 0; i < length; i++) {
      byte old = total[i];
      total[i] = (byte) ((old + old) ^ ((old >> 7) & REDUCTION) ^ block[i]);
    }
  }

  /** Makes one block the double of another. */
  static void twice(byte[] result, byte[] block, int length) {
    for (int i = 0; i < length; i++) {
      byte old = block[i];
      result[i] = (byte) ((old + old) ^ ((old >> 7) & REDUCTION));
    }
  }
}
