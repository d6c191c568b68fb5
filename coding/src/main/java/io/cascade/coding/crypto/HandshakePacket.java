package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The datagrams that precede a session. Their first byte distinguishes them from a session's, which
 * begins with the bits 01.
 *
 * <pre>
 * HELLO    0x11 | version u8 | dialler's connection id u32 | length of the datagram u16
 *          | X25519 32 bytes | name length u8, name | cookie length u8, cookie | HMAC 32 bytes | zeros
 * RETRY    0x12 | version u8 | dialler's connection id u32 | cookie length u8, cookie | HMAC 32 bytes
 * WELCOME  0x13 | version u8 | dialler's connection id u32 | acceptor's connection id u32
 *          | X25519 32 bytes | HMAC 32 bytes | zeros up to the length of the HELLO
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // used in this package only, and never changed
sealed interface HandshakePacket {
  int VERSION = 1;
  int HELLO_TYPE = 0x11;
  int RETRY_TYPE = 0x12;
  int WELCOME_TYPE = 0x13;
  int MAC_BYTES = Hkdf.HASH_BYTES;
  int MOST_NAME_BYTES = 64;
  int MOST_COOKIE_BYTES = 64;

  /**
   * @param name of the HMAC's key
   * @param cookie of a RETRY, or empty
   * @param datagramBytes length of the whole datagram, and the longest that the session will send
   */
  record Hello(
      int diallersId,
      byte[] agreementKey,
      byte[] name,
      byte[] cookie,
      byte[] mac,
      int datagramBytes)
      implements HandshakePacket {
    /** Bytes from which the session's keys are derived: all but the cookie. */
    byte[] transcript() {
      return ByteBuffer.allocate(8 + AgreementKey.PUBLIC_BYTES + name.length)
          .put((byte) HELLO_TYPE)
          .put((byte) VERSION)
          .putInt(diallersId)
          .putShort((short) datagramBytes)
          .put(agreementKey)
          .put(name)
          .array();
    }

    Hello signed(byte[] key) {
      return new Hello(diallersId, agreementKey, name, cookie, macUnder(key), datagramBytes);
    }

    byte[] macUnder(byte[] key) {
      return Hkdf.mac(Hkdf.expand(key, "hello", new byte[0], MAC_BYTES), transcript(), cookie);
    }

    byte[] encode() {
      ByteBuffer to = ByteBuffer.allocate(datagramBytes);
      to.put((byte) HELLO_TYPE).put((byte) VERSION).putInt(diallersId);
      to.putShort((short) datagramBytes).put(agreementKey);
      to.put((byte) name.length).put(name).put((byte) cookie.length).put(cookie).put(mac);
      return to.array();
    }
  }

  /**
   * @param mac over the answered HELLO and the cookie
   */
  record Retry(int diallersId, byte[] cookie, byte[] mac) implements HandshakePacket {
    static Retry signed(byte[] key, Hello hello, byte[] cookie) {
      return new Retry(hello.diallersId(), cookie, mac(key, hello, cookie));
    }

    boolean isSigned(byte[] key, Hello hello) {
      return MessageDigest.isEqual(mac(key, hello, cookie), mac);
    }

    private static byte[] mac(byte[] key, Hello hello, byte[] cookie) {
      return Hkdf.mac(
          Hkdf.expand(key, "retry", new byte[0], MAC_BYTES), hello.transcript(), cookie);
    }

    byte[] encode() {
      ByteBuffer to = ByteBuffer.allocate(7 + cookie.length + mac.length);
      to.put((byte) RETRY_TYPE).put((byte) VERSION).putInt(diallersId);
      return to.put((byte) cookie.length).put(cookie).put(mac).array();
    }
  }

  record Welcome(
      int diallersId, int acceptorsId, byte[] agreementKey, byte[] mac, int datagramBytes)
      implements HandshakePacket {
    byte[] transcript() {
      return ByteBuffer.allocate(10 + AgreementKey.PUBLIC_BYTES)
          .put((byte) WELCOME_TYPE)
          .put((byte) VERSION)
          .putInt(diallersId)
          .putInt(acceptorsId)
          .put(agreementKey)
          .array();
    }

    byte[] macUnder(byte[] key, Hello hello) {
      return Hkdf.mac(
          Hkdf.expand(key, "welcome", new byte[0], MAC_BYTES), hello.transcript(), transcript());
    }

    Welcome signed(byte[] key, Hello hello) {
      return new Welcome(
          diallersId, acceptorsId, agreementKey, macUnder(key, hello), datagramBytes);
    }

    byte[] encode() {
      ByteBuffer to = ByteBuffer.allocate(datagramBytes);
      return to.put(transcript()).put(mac).array();
    }
  }

  /** Whether a datagram's first byte is that of a handshake; other datagrams belong to sessions. */
  static boolean isOne(ByteBuffer datagram) {
    return datagram.hasRemaining() && (datagram.get(datagram.position()) & 0xc0) == 0;
  }

  /**
   * Parses a datagram.
   *
   * @throws Malformed if it is none of these
   */
  static HandshakePacket read(ByteBuffer from) throws Malformed {
    int bytes = from.remaining();
    need(from, 6);
    int type = from.get() & 0xff;
    int version = from.get() & 0xff;
    if (version != VERSION) {
      throw new Malformed("version " + version, 1);
    }
    int diallersId = from.getInt();
    return switch (type) {
      case HELLO_TYPE -> {
        need(from, Short.BYTES);
        if ((from.getShort() & 0xffff) != bytes) {
          throw new Malformed("a length that is not the datagram's", 6);
        }
        byte[] key = bytes(from, AgreementKey.PUBLIC_BYTES);
        byte[] name = counted(from, MOST_NAME_BYTES);
        byte[] cookie = counted(from, MOST_COOKIE_BYTES);
        yield new Hello(diallersId, key, name, cookie, bytes(from, MAC_BYTES), bytes);
      }
      case RETRY_TYPE ->
          new Retry(diallersId, counted(from, MOST_COOKIE_BYTES), bytes(from, MAC_BYTES));
      case WELCOME_TYPE -> {
        need(from, Integer.BYTES);
        int acceptorsId = from.getInt();
        byte[] key = bytes(from, AgreementKey.PUBLIC_BYTES);
        yield new Welcome(diallersId, acceptorsId, key, bytes(from, MAC_BYTES), bytes);
      }
      default -> throw new Malformed("handshake of type " + type, 0);
    };
  }

  private static byte[] counted(ByteBuffer from, int most) throws Malformed {
    need(from, 1);
    int length = from.get() & 0xff;
    if (length > most) {
      throw new Malformed("a field of " + length + " bytes", from.position());
    }
    return bytes(from, length);
  }

  private static byte[] bytes(ByteBuffer from, int count) throws Malformed {
    need(from, count);
    byte[] value = new byte[count];
    from.get(value);
    return value;
  }

  private static void need(ByteBuffer from, int bytes) throws Malformed {
    if (from.remaining() < bytes) {
      throw new Malformed("a handshake is cut", from.position());
    }
  }

  /** Derives a direction's secret from the shared secret, the hop's key and both transcripts. */
  static byte[] secret(byte[] key, byte[] shared, Hello hello, Welcome welcome, boolean diallers) {
    byte[] first = hello.transcript();
    byte[] second = welcome.transcript();
    byte[] context = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, context, first.length, second.length);
    return Hkdf.expand(
        Hkdf.extract(key, shared),
        diallers ? "dialler sends" : "acceptor sends",
        context,
        Hkdf.HASH_BYTES);
  }
}
