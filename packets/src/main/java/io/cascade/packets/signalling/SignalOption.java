package io.cascade.packets.signalling;

import io.cascade.packets.header.TcpOptions;
import io.cascade.packets.header.TcpPacket;
import org.jspecify.annotations.Nullable;

/**
 * The TCP option by which splitter/combiners find each other: an experimental one (RFC 6994) with
 * the identifier 0xCA5C.
 *
 * <pre>
 * +--------+--------+-----------------+---------------+------------------------+
 * |  253   |   8    |     0xCA5C      | version, type |         token          |
 * +--------+--------+-----------------+---------------+------------------------+
 *   1 byte   1 byte      2 bytes           1 byte             3 bytes
 * </pre>
 *
 * @param token chosen by the side that offers; answers and confirmations repeat it
 */
record SignalOption(Type type, int token) {
  static final int BYTES = 8;

  private static final int EXPERIMENTAL = 253;
  private static final int IDENTIFIER_HIGH = 0xca;
  private static final int IDENTIFIER_LOW = 0x5c;
  private static final int VERSION = 1;
  private static final int TOKEN_MASK = 0xff_ffff;

  /** Meaning of the option. */
  enum Type implements WireCode {
    /** Sent in a SYN: the sender will split if the receiver combines. */
    OFFER(0),
    /** Sent in the answer to the SYN: the sender combines and splits. */
    ACCEPT(1),
    /** Sent in the first acknowledgments: the sender has received the answer, and combines, too. */
    CONFIRM(2);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  SignalOption {
    token &= TOKEN_MASK;
  }

  byte[] bytes() {
    return new byte[] {
      (byte) EXPERIMENTAL,
      BYTES,
      (byte) IDENTIFIER_HIGH,
      (byte) IDENTIFIER_LOW,
      (byte) ((VERSION << 4) | type.code),
      (byte) (token >>> 16),
      (byte) (token >>> 8),
      (byte) token
    };
  }

  /** The position of such an option, whatever its content; -1 if the packet has none. */
  static int find(TcpPacket packet) {
    TcpOptions options = packet.options();
    int at = options.find(EXPERIMENTAL, BYTES);
    byte[] bytes = packet.bytes();
    return at >= 0
            && (bytes[at + 2] & 0xff) == IDENTIFIER_HIGH
            && (bytes[at + 3] & 0xff) == IDENTIFIER_LOW
        ? at
        : -1;
  }

  /** The option of a packet; null if there is none, or its version or type is unknown. */
  static @Nullable SignalOption of(TcpPacket packet) {
    int at = find(packet);
    if (at < 0) {
      return null;
    }
    byte[] bytes = packet.bytes();
    Type type = WireCode.find(Type.values(), bytes[at + 4] & 0xf);
    if ((bytes[at + 4] & 0xff) >>> 4 != VERSION || type == null) {
      return null;
    }
    int token =
        ((bytes[at + 5] & 0xff) << 16) | ((bytes[at + 6] & 0xff) << 8) | (bytes[at + 7] & 0xff);
    return new SignalOption(type, token);
  }
}
