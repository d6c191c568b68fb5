package io.cascade.coding.field;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Multiplies 16 bytes at a time: the product of a byte is the sum of the products of its two
 * nibbles, each of which a shuffle reads from 16 bytes. Wider vectors were not faster on processors
 * without a shuffle across lanes.
 *
 * <p>Loaded by name, if the virtual machine was started with {@code --add-modules
 * jdk.incubator.vector}.
 */
final class VectorKernel implements GaloisKernel {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_128;
  private static final int LANES = 16;
  private static final byte NIBBLE = 0x0f;
  private static final int BITS = 4;

  private final ScalarKernel rest;

  /** Products of each factor with 0 to 15. */
  private final byte[] low = new byte[256 * LANES];

  /** Products of each factor with 0, 16, … 240. */
  private final byte[] high = new byte[256 * LANES];

  /**
   * @param product of a and b at {@code a · 256 + b}
   */
  VectorKernel(byte[] product) {
    this.rest = new ScalarKernel(product);
    for (int factor = 0; factor < 256; factor++) {
      for (int nibble = 0; nibble < LANES; nibble++) {
        low[factor * LANES + nibble] = product[(factor << 8) | nibble];
        high[factor * LANES + nibble] = product[(factor << 8) | (nibble << BITS)];
      }
    }
  }

  @Override
  public void addProduct(byte[] target, byte[] source, int length, int factor) {
    int at = (factor & 0xff) * LANES;
    ByteVector lows = ByteVector.fromArray(SPECIES, low, at);
    ByteVector highs = ByteVector.fromArray(SPECIES, high, at);
    int i = 0;
    for (; i + LANES <= length; i += LANES) {
      ByteVector product = product(ByteVector.fromArray(SPECIES, source, i), lows, highs);
      ByteVector.fromArray(SPECIES, target, i)
          .lanewise(VectorOperators.XOR, product)
          .intoArray(target, i);
    }
    rest.addProduct(target, source, i, length, factor);
  }

  @Override
  public void scale(byte[] block, int length, int factor) {
    int at = (factor & 0xff) * LANES;
    ByteVector lows = ByteVector.fromArray(SPECIES, low, at);
    ByteVector highs = ByteVector.fromArray(SPECIES, high, at);
    int i = 0;
    for (; i + LANES <= length; i += LANES) {
      product(ByteVector.fromArray(SPECIES, block, i), lows, highs).intoArray(block, i);
    }
    rest.scale(block, i, length, factor);
  }

  @Override
  public int mostOneByOne() {
    return Integer.MAX_VALUE;
  }

  private static ByteVector product(ByteVector bytes, ByteVector lows, ByteVector highs) {
    return bytes
        .and(NIBBLE)
        .selectFrom(lows)
        .lanewise(
            VectorOperators.XOR,
            bytes.lanewise(VectorOperators.LSHR, BITS).selectFrom(highs));
  }
}
