package io.cascade.coding.field;

/** Multiplies a block by one row of a table of 64 KiB, byte by byte. */
final class ScalarKernel implements GaloisKernel {
  private final byte[] product;

  /**
   * @param product of a and b at {@code a · 256 + b}
   */
  ScalarKernel(byte[] product) {
    this.product = product;
  }

  @Override
  public void addProduct(byte[] target, byte[] source, int length, int factor) {
    addProduct(target, source, 0, length, factor);
  }

  void addProduct(byte[] target, byte[] source, int from, int to, int factor) {
    int row = (factor & 0xff) << 8;
    for (int i = from; i < to; i++) {
      target[i] ^= product[row | (source[i] & 0xff)];
    }
  }

  /** A multiplication costs several additions of a block, which the compiler vectorises. */
  @Override
  public int mostOneByOne() {
    return 2;
  }

  @Override
  public void scale(byte[] block, int length, int factor) {
    scale(block, 0, length, factor);
  }

  void scale(byte[] block, int from, int to, int factor) {
    int row = (factor & 0xff) << 8;
    for (int i = from; i < to; i++) {
      block[i] = product[row | (block[i] & 0xff)];
    }
  }
}
