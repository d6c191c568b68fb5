package io.cascade.client.throughput;

import io.cascade.coding.crypto.Hkdf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.UUID;

/**
 * A message of a throughput test to a relay's hop port, as relays send it to each other: a PROXY v2
 * header of the LOCAL command with TLVs, the last of which authenticates all before it under the
 * test's key.
 *
 * <pre>
 *  0xE0 kind u8 | 0xE1 test, 16 bytes | 0xE3 hop, 3 bytes | 0xE4 bytes u64 | 0xE5 HMAC-SHA256
 * </pre>
 *
 * @param bytes that the relay has received; 0 in the first message of a test and in the answer to
 *     it
 */
record RelayTestMessage(Kind kind, UUID test, long bytes) {
  private static final byte[] SIGNATURE = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
  };
  private static final byte LOCAL_COMMAND = 0x20;
  private static final byte[] NO_CHAIN = {0, 0, 1};
  private static final int TLV_HEAD = 3;
  private static final int UUID_BYTES = 16;
  private static final int TAG_BYTES = 32;
  private static final int TLV_BYTES =
      5 * TLV_HEAD + 1 + UUID_BYTES + NO_CHAIN.length + Long.BYTES + TAG_BYTES;

  /** Length of every message. */
  static final int LENGTH = SIGNATURE.length + 4 + TLV_BYTES;

  /** Kind of message. */
  enum Kind {
    /** The sender's first message: the test's bytes follow once it was accepted. */
    TEST(6),
    /** The sender may send. */
    ACCEPTED(7),
    /** All bytes have arrived. */
    RECEIVED(8),
    /** The sender is to stop: a stream needs the relay. */
    STOPPED(9);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException("the relay has sent a message of kind " + code);
    }
  }

  byte[] encode(byte[] key) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH);
    out.put(SIGNATURE).put(LOCAL_COMMAND).put((byte) 0).putShort((short) TLV_BYTES);
    head(out, 0xe0, 1).put((byte) kind.code);
    head(out, 0xe1, UUID_BYTES)
        .putLong(test.getMostSignificantBits())
        .putLong(test.getLeastSignificantBits());
    head(out, 0xe3, NO_CHAIN.length).put(NO_CHAIN);
    head(out, 0xe4, Long.BYTES).putLong(bytes);
    head(out, 0xe5, TAG_BYTES);
    return out.put(Hkdf.mac(key, Arrays.copyOf(out.array(), out.position()))).array();
  }

  private static ByteBuffer head(ByteBuffer out, int type, int length) {
    return out.put((byte) type).putShort((short) length);
  }

  /**
   * Reads a message of a test.
   *
   * @param message {@link #LENGTH} bytes
   * @throws IOException where it is not a message of this test, or its sender does not hold the key
   */
  static RelayTestMessage decode(byte[] message, UUID test, byte[] key) throws IOException {
    int kindAt = SIGNATURE.length + 4 + TLV_HEAD;
    int bytesAt = LENGTH - TAG_BYTES - TLV_HEAD - Long.BYTES;
    RelayTestMessage read =
        new RelayTestMessage(
            Kind.of(message[kindAt]), test, ByteBuffer.wrap(message).getLong(bytesAt));
    // A message that differs from this end's encoding of its values under the test's key is
    // rejected.
    if (!MessageDigest.isEqual(read.encode(key), message)) {
      throw new IOException("the answer is not from a relay that expects the test");
    }
    return read;
  }
}
