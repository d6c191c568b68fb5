package io.cascade.relay.hop;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the two relays of a hop share, for one chain and while both processes run. The
 * orchestrator gives a restarted relay and its neighbours fresh keys, so that previously recorded
 * headers are invalid.
 */
public final class HopKey {
  static final int TAG_BYTES = 32;
  private static final int KEY_BYTES = 32;
  private static final byte[] CODED_SESSIONS = "coded sessions".getBytes(StandardCharsets.US_ASCII);
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] bytes;

  /** Keyed MAC of each thread: finding and keying one costs as much as computing a header's tag. */
  private final ThreadLocal<Mac> mac = ThreadLocal.withInitial(this::newMac);

  private HopKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * @throws IllegalArgumentException unless it is Base64 of 32 bytes
   */
  public static HopKey parse(String base64) {
    return new HopKey(decode(base64));
  }

  /**
   * Decodes a key.
   *
   * @throws IllegalArgumentException unless it is Base64 of 32 bytes
   */
  public static byte[] decode(String base64) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("key: not Base64 (expected: 32 bytes, Base64)", e);
    }
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key: " + bytes.length + " bytes (expected: 32 bytes, Base64)");
    }
    return bytes;
  }

  /** Derives the key of coded sessions over this hop, which reveals nothing about this key. */
  byte[] ofCodedSessions() {
    return sign(CODED_SESSIONS, CODED_SESSIONS.length);
  }

  byte[] sign(byte[] message, int length) {
    Mac keyed = mac.get();
    keyed.update(message, 0, length);
    return keyed.doFinal(); // leaves the MAC keyed
  }

  private Mac newMac() {
    try {
      Mac keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(bytes, ALGORITHM));
      return keyed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /** Whether {@code tag} is the message's tag, compared in constant time. */
  boolean verifies(byte[] message, int length, byte[] tag) {
    return MessageDigest.isEqual(sign(message, length), tag);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HopKey that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31; // rarely compared, and a hash would reveal part of the secret
  }

  @Override
  public String toString() {
    return "HopKey[secret]";
  }
}
