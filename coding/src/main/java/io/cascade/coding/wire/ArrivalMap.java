package io.cascade.coding.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Map of the packets just below the largest one that have arrived. On the wire {@code length u8 ‖
 * bytes}; bit i, from the lowest of the first byte, is the packet {@code largest − 1 − i}.
 */
public final class ArrivalMap {
  public static final int MOST_BYTES = 128;

  private final byte[] bits;

  /** Makes a map of the bytes, which are not copied. */
  public ArrivalMap(byte[] bits) {
    this.bits = bits;
  }

  /** Whether the packet {@code largest − 1 − index} has arrived. */
  public boolean has(int index) {
    return (index >>> 3) < bits.length && ((bits[index >>> 3] >>> (index & 7)) & 1) != 0;
  }

  /** Number of packets that the map covers. */
  public int reach() {
    return 8 * bits.length;
  }

  void write(ByteBuffer to) {
    to.put((byte) bits.length);
    to.put(bits);
  }

  static ArrivalMap read(ByteBuffer from) throws Malformed {
    Wire.need(from, 1, "bitmap");
    int bytes = Wire.u8(from);
    if (bytes > MOST_BYTES) {
      throw new Malformed("bitmap of " + bytes, from.position());
    }
    Wire.need(from, bytes, "bitmap");
    byte[] bits = new byte[bytes];
    from.get(bits);
    return new ArrivalMap(bits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrivalMap map && Arrays.equals(bits, map.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }
}
