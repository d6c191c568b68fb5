package io.cascade.packets.encapsulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A datagram of a pipe: Generic UDP Encapsulation (draft-ietf-intarea-gue-09, variant 0) with 16
 * bytes of private data: the token that authenticates the peer, the number of the datagram on this
 * pipe, and the time at which it was sent, both modulo 2^32.
 *
 * <pre>
 *  0               1               2               3
 * +---+-+---------+---------------+-------------------------------+
 * | 0 |C|  hlen 4 | proto / ctype |            flags 0            |
 * +---+-+---------+---------------+-------------------------------+
 * |                             token                             |
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                            number                             |
 * +---------------------------------------------------------------+
 * |                      sent, microseconds                       |
 * +---------------------------------------------------------------+
 * </pre>
 */
final class PipeDatagram {
  static final int HEADER_BYTES = 20;

  private static final int CONTROL = 0x20;
  private static final int PRIVATE_WORDS = 4;
  private static final int IPV4 = 4;

  private final Kind kind;
  private final byte[] bytes;
  private final int length;

  private PipeDatagram(Kind kind, byte[] bytes, int length) {
    this.kind = kind;
    this.bytes = bytes;
    this.length = length;
  }

  /** Kind of the content after the header. */
  enum Kind {
    /** An IPv4 packet. */
    PACKET(IPV4, false),
    /** A probe, which is answered at once. */
    PROBE(1, true),
    ANSWER(2, true),
    /** One of several datagrams that were sent back to back. */
    TRAIN(3, true),
    /** A message between the ends' signalling units. */
    SIGNAL(4, true);

    private final int code;
    private final boolean control;

    Kind(int code, boolean control) {
      this.code = code;
      this.control = control;
    }

    private static @Nullable Kind of(int first, int code) {
      for (Kind kind : values()) {
        if (first == (PRIVATE_WORDS | (kind.control ? CONTROL : 0)) && kind.code == code) {
          return kind;
        }
      }
      return null;
    }
  }

  /** Makes a datagram whose content is zero. */
  static ByteBuffer make(Kind kind, long token, int number, long sentNanos, int contentBytes) {
    return ByteBuffer.allocate(HEADER_BYTES + contentBytes)
        .put((byte) (PRIVATE_WORDS | (kind.control ? CONTROL : 0)))
        .put((byte) kind.code)
        .putShort((short) 0)
        .putLong(token)
        .putInt(number)
        .putInt(micros(sentNanos));
  }

  /** Parses a datagram; null if it is none of this kind. */
  static @Nullable PipeDatagram parse(byte[] bytes, int length) {
    if (length < HEADER_BYTES) {
      return null;
    }
    Kind kind = Kind.of(bytes[0] & 0xff, bytes[1] & 0xff);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return kind == null || buffer.getShort(2) != 0 ? null : new PipeDatagram(kind, bytes, length);
  }

  static int micros(long nanos) {
    return (int) (nanos / 1_000);
  }

  Kind kind() {
    return kind;
  }

  long token() {
    return ByteBuffer.wrap(bytes).getLong(4);
  }

  int number() {
    return ByteBuffer.wrap(bytes).getInt(12);
  }

  int sentMicros() {
    return ByteBuffer.wrap(bytes).getInt(16);
  }

  int contentBytes() {
    return length - HEADER_BYTES;
  }

  /** Returns the content, as numbers. */
  ByteBuffer content() {
    return ByteBuffer.wrap(bytes, HEADER_BYTES, contentBytes());
  }

  /** Returns a copy of the content. */
  byte[] copy() {
    return Arrays.copyOfRange(bytes, HEADER_BYTES, length);
  }
}
