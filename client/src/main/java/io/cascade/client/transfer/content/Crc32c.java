package io.cascade.client.transfer.content;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C of blocks, which detects and locates damage of stored data. It is ten times as quick as a
 * cryptographic digest, which verifies the whole file, and the checksums of adjacent blocks can be
 * combined.
 */
public final class Crc32c {
  /** Castagnoli's polynomial, reflected. */
  private static final int POLYNOMIAL = 0x82F63B78;

  /** Powers x^(2^n) modulo the polynomial. */
  private static final int[] POWERS = new int[64];

  static {
    POWERS[0] = 1 << 30;
    for (int n = 1; n < POWERS.length; n++) {
      POWERS[n] = multiply(POWERS[n - 1], POWERS[n - 1]);
    }
  }

  private Crc32c() {}

  /** Checksum of the remaining bytes, which are not consumed. */
  public static int of(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  /**
   * Checksum of two adjacent blocks, as zlib's crc32_combine computes it.
   *
   * @param secondBytes length of the second one, greater than 0
   */
  static int combine(int first, int second, long secondBytes) {
    int shift = 1 << 31;
    int power = 3; // 2^3 bits a byte
    for (long left = secondBytes; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        shift = multiply(POWERS[power], shift);
      }
      power++;
    }
    return multiply(shift, first) ^ second;
  }

  /** Product modulo the polynomial; {@code left} is not 0. */
  private static int multiply(int left, int right) {
    int product = 0;
    int factor = right;
    for (int bit = 1 << 31; bit != 0; bit >>>= 1) {
      if ((left & bit) != 0) {
        product ^= factor;
      }
      factor = (factor & 1) != 0 ? factor >>> 1 ^ POLYNOMIAL : factor >>> 1;
    }
    return product;
  }
}
