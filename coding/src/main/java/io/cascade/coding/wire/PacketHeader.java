package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/**
 * The first bytes of every datagram:
 *
 * <pre>
 *  0      1 byte      01 0 TTT LL   TTT packet type, LL length of the packet number − 1
 *  1      4 bytes     connection id, chosen by the receiver
 *  5      1–4 bytes   packet number, its low bytes
 * </pre>
 *
 * A packet number is truncated to as many bytes as distinguish it from those in flight (RFC 9000
 * §17.1).
 *
 * @param number 0 to 2^62 − 1
 */
public record PacketHeader(PacketType type, int connectionId, long number) {
  private static final int FIXED = 0x40;
  private static final int FIXED_MASK = 0xe0;

  /** Bytes with a packet number of two bytes, the usual one. */
  public static final int USUAL_BYTES = 7;

  /**
   * Writes the header.
   *
   * @param acknowledged largest packet number that the peer has acknowledged, or −1
   */
  public void write(ByteBuffer to, long acknowledged) {
    int bytes = numberBytes(number - acknowledged);
    to.put((byte) (FIXED | (type.number() << 2) | (bytes - 1)));
    to.putInt(connectionId);
    for (int i = bytes - 1; i >= 0; i--) {
      to.put((byte) (number >>> (8 * i)));
    }
  }

  /** At least two bytes, so that reordering within 16,000 packets does no harm; at most four. */
  private static int numberBytes(long ahead) {
    return ahead < 1 << 14 ? 2 : ahead < 1 << 22 ? 3 : 4;
  }

  /**
   * Reads a header.
   *
   * @param largest the largest packet number received so far, or −1
   */
  public static PacketHeader read(ByteBuffer from, long largest) throws Malformed {
    Wire.need(from, USUAL_BYTES - 1, "header");
    int at = from.position();
    int first = from.get() & 0xff;
    if ((first & FIXED_MASK) != FIXED) {
      throw new Malformed("first byte " + first, at);
    }
    int type = (first >> 2) & 7;
    if (type >= TYPES.length) {
      throw new Malformed("packet type " + type, at);
    }
    int connectionId = from.getInt();
    int bytes = (first & 3) + 1;
    Wire.need(from, bytes, "packet number");
    long truncated = 0;
    for (int i = 0; i < bytes; i++) {
      truncated = (truncated << 8) | (from.get() & 0xff);
    }
    return new PacketHeader(TYPES[type], connectionId, expand(truncated, 8 * bytes, largest));
  }

  /**
   * The number with these low bits that is closest to the next expected one.
   *
   * @param largest the largest received so far, or −1
   */
  public static long expand(long truncated, int bits, long largest) {
    long window = 1L << bits;
    long expected = largest + 1;
    long candidate = (expected & ~(window - 1)) | truncated;
    if (candidate <= expected - window / 2) {
      return candidate + window;
    }
    return candidate > expected + window / 2 && candidate >= window
        ? candidate - window
        : candidate;
  }

  private static final PacketType[] TYPES = PacketType.values();
}
