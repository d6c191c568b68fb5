package io.cascade.coding.field;

/** Arithmetic of GF(2^8) over blocks of bytes. All kernels produce the same bytes. */
interface GaloisKernel {
  /** Adds {@code factor · source} to a target. */
  void addProduct(byte[] target, byte[] source, int length, int factor);

  /** Multiplies every byte of a block by a factor. */
  void scale(byte[] block, int length, int factor);

  /**
   * Number of blocks up to which multiplying them one by one takes no more time than by their
   * factors' bits.
   */
  int mostOneByOne();
}
