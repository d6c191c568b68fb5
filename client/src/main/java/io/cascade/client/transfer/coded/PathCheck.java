package io.cascade.client.transfer.coded;

import io.cascade.coding.crypto.Hkdf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A datagram by which the ends of a session test whether a path between them carries datagrams, as
 * a connectivity check of RFC 8445 does; and its answer, which has the same length.
 *
 * <pre>
 * 0  1  23 hex for a check, 24 hex for an answer
 * 1  1  origin of the check: 0 the end that dials the session, 1 the one that accepts it
 * 2 16  the session's name
 * 18 8  a random number of the check, which the answer repeats
 * 26 16 the first bytes of an HMAC-SHA256 of that, by a key derived from the session's
 * </pre>
 *
 * @param byDialler whether the check, or the answered check, is from the end that dials
 */
record PathCheck(boolean isAnswer, boolean byDialler, UUID session, long number) {
  static final int BYTES = 42;
  private static final int CONTENT_BYTES = 26;
  private static final byte CHECK = 0x23;
  private static final byte ANSWER = 0x24;

  /** The key of a session's checks. */
  static byte[] key(byte[] sessionKey) {
    return Hkdf.expand(sessionKey, "path check", new byte[0], 32);
  }

  PathCheck answer() {
    return new PathCheck(true, byDialler, session, number);
  }

  /**
   * Encodes the datagram.
   *
   * @param key {@link #key}
   */
  ByteBuffer encode(byte[] key) {
    ByteBuffer out =
        ByteBuffer.allocate(BYTES)
            .put(isAnswer ? ANSWER : CHECK)
            .put((byte) (byDialler ? 0 : 1))
            .putLong(session.getMostSignificantBits())
            .putLong(session.getLeastSignificantBits())
            .putLong(number);
    byte[] mac = Hkdf.mac(key, Arrays.copyOf(out.array(), CONTENT_BYTES));
    return out.put(mac, 0, BYTES - CONTENT_BYTES).flip();
  }

  /**
   * Decodes a datagram of an unauthenticated sender; null where it is neither a check nor an
   * answer.
   */
  static @Nullable PathCheck decode(ByteBuffer datagram) {
    if (datagram.remaining() != BYTES) {
      return null;
    }
    ByteBuffer in = datagram.duplicate();
    byte type = in.get();
    byte who = in.get();
    if ((type != CHECK && type != ANSWER) || who < 0 || who > 1) {
      return null;
    }
    return new PathCheck(
        type == ANSWER, who == 0, new UUID(in.getLong(), in.getLong()), in.getLong());
  }

  /** Whether a datagram is this one and was made with the key. */
  boolean isAuthentic(ByteBuffer datagram, byte[] key) {
    byte[] bytes = new byte[BYTES];
    datagram.duplicate().get(bytes);
    return MessageDigest.isEqual(encode(key).array(), bytes);
  }
}
