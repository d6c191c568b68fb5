package io.cascade.packets.header;

/**
 * An IPv4 or IPv6 address.
 *
 * @param bits 32 or 128
 * @param high the first 8 bytes of an IPv6 address; 0 for IPv4
 * @param low the last 8 bytes, or the 4 of IPv4
 */
public record IpAddress(int bits, long high, long low) {
  public static final int V4_BITS = 32;
  public static final int V6_BITS = 128;

  public IpAddress {
    if (bits != V4_BITS && bits != V6_BITS) {
      throw new IllegalArgumentException("bits: " + bits + " (expected: 32 or 128)");
    }
  }

  /**
   * Makes an address from its bytes in network order.
   *
   * @param bytes 4 or 16
   */
  public static IpAddress of(byte[] bytes) {
    return switch (bytes.length) {
      case 4 -> v4(bytes, 0);
      case 16 -> v6(bytes, 0);
      default ->
          throw new IllegalArgumentException("bytes: " + bytes.length + " (expected: 4 or 16)");
    };
  }

  static IpAddress v4(byte[] bytes, int at) {
    return new IpAddress(V4_BITS, 0, read(bytes, at, 4));
  }

  static IpAddress v6(byte[] bytes, int at) {
    return new IpAddress(V6_BITS, read(bytes, at, 8), read(bytes, at + 8, 8));
  }

  private static long read(byte[] bytes, int at, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | (bytes[at + i] & 0xff);
    }
    return value;
  }

  /** Octets in network order. */
  public byte[] bytes() {
    byte[] bytes = new byte[bits / 8];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      bytes[i] = (byte) (fromEnd >= 8 ? high >>> (8 * (fromEnd - 8)) : low >>> (8 * fromEnd));
    }
    return bytes;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    byte[] bytes = bytes();
    if (bits == V4_BITS) {
      for (byte octet : bytes) {
        text.append(text.isEmpty() ? "" : ".").append(octet & 0xff);
      }
    } else {
      for (int i = 0; i < bytes.length; i += 2) {
        text.append(i == 0 ? "" : ":")
            .append(Integer.toHexString(((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff)));
      }
    }
    return text.toString();
  }
}
