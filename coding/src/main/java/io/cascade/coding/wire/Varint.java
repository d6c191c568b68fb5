package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/**
 * Integers from 0 to 2^62 − 1 in 1, 2, 4 or 8 bytes; the first two bits encode the length (RFC 9000
 * §16). 37 is 0x25, 15,293 is 0x7bbd.
 */
public final class Varint {
  private static final long MOST = (1L << 62) - 1;

  private Varint() {}

  /** Encoded length of a value in bytes. */
  public static int length(long value) {
    return value < 1 << 6 ? 1 : value < 1 << 14 ? 2 : value < 1 << 30 ? 4 : 8;
  }

  public static void write(ByteBuffer to, long value) {
    if (value < 0 || value > MOST) {
      throw new IllegalArgumentException("varint: " + value + " (expected: 0 to 2^62 - 1)");
    }
    switch (length(value)) {
      case 1 -> to.put((byte) value);
      case 2 -> to.putShort((short) (value | 0x4000));
      case 4 -> to.putInt((int) value | 0x8000_0000);
      default -> to.putLong(value | 0xc000_0000_0000_0000L);
    }
  }

  /**
   * Reads a value.
   *
   * @throws Malformed if the buffer ends before the value does
   */
  public static long read(ByteBuffer from) throws Malformed {
    Wire.need(from, 1, "varint");
    int bytes = 1 << ((from.get(from.position()) & 0xff) >> 6);
    Wire.need(from, bytes, "varint");
    return switch (bytes) {
      case 1 -> from.get() & 0x3f;
      case 2 -> from.getShort() & 0x3fff;
      case 4 -> from.getInt() & 0x3fff_ffff;
      default -> from.getLong() & MOST;
    };
  }
}
