package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import io.netty.buffer.ByteBuf;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message between two relays in a throughput test, authenticated under the test's key.
 *
 * @param bytes that the receiver has received; 0 for {@link Kind#TEST} and {@link Kind#ACCEPTED}
 */
public record TestMessage(Kind kind, UUID test, long bytes) {
  private static final HopAddress NO_CHAIN = new HopAddress(0, 0, 1);

  /** Kind of message. */
  public enum Kind {
    /** First message of the sender: the test's bytes follow once it is accepted. */
    TEST(HopHeader.Kind.TEST),
    /** First message of the receiver: the sender may send. */
    ACCEPTED(HopHeader.Kind.TEST_ACCEPTED),
    /** Last message of the receiver: all bytes have arrived, with their number. */
    RECEIVED(HopHeader.Kind.TEST_RECEIVED),
    /**
     * Last message of the receiver: stop, since a stream needs the link; with the number of bytes
     * that have arrived.
     */
    STOPPED(HopHeader.Kind.TEST_STOPPED);

    private final HopHeader.Kind header;

    Kind(HopHeader.Kind header) {
      this.header = header;
    }

    private static @Nullable Kind of(HopHeader.Kind header) {
      for (Kind kind : values()) {
        if (kind.header == header) {
          return kind;
        }
      }
      return null;
    }
  }

  /** Encodes the message with its authenticator. */
  public byte[] encode(HopKey key) {
    return new HopHeader(kind.header, test, null, NO_CHAIN, bytes, null).encode(key);
  }

  /**
   * Reads one message from the front of {@code in}.
   *
   * @return null if more bytes are needed; then none is consumed
   * @throws Unexpected if it is no message of this test, or its sender does not hold the key
   */
  public static @Nullable TestMessage decode(ByteBuf in, UUID test, HopKey key) throws Unexpected {
    HopHeader.Unverified read;
    try {
      read = HopHeader.decode(in);
    } catch (HopHeader.Malformed e) {
      throw new Unexpected(String.valueOf(e.getMessage()));
    }
    if (read == null) {
      return null;
    }
    HopHeader header = read.header();
    Kind kind = Kind.of(header.kind());
    if (kind == null || !header.chain().equals(test) || !read.verifiedBy(key)) {
      throw new Unexpected("a message of another kind, or under another key");
    }
    return new TestMessage(kind, test, header.counter());
  }

  /** Thrown if the peer has sent a message that belongs to no test of this relay. */
  public static final class Unexpected extends Exception {
    Unexpected(String message) {
      super(message, null, false, false);
    }
  }
}
