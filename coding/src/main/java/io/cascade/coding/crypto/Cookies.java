package io.cascade.coding.crypto;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Cookies by which a dialler proves that it receives at its address: an HMAC of the address and the
 * time in steps of 30 s. Nothing is stored for them.
 */
final class Cookies {
  private static final long STEP_NANOS = 30_000_000_000L;
  private static final int COOKIE_BYTES = 16;

  private final byte[] secret = new byte[Hkdf.HASH_BYTES];

  Cookies(SecureRandom random) {
    random.nextBytes(secret);
  }

  byte[] make(byte[] address, long nowNanos) {
    return ofStep(address, Math.floorDiv(nowNanos, STEP_NANOS));
  }

  /** Whether the cookie was made for the address in this step or the previous one. */
  boolean isGood(byte[] cookie, byte[] address, long nowNanos) {
    long step = Math.floorDiv(nowNanos, STEP_NANOS);
    return MessageDigest.isEqual(cookie, ofStep(address, step))
        || MessageDigest.isEqual(cookie, ofStep(address, step - 1));
  }

  private byte[] ofStep(byte[] address, long step) {
    byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(step).array();
    return Arrays.copyOf(Hkdf.mac(secret, time, address), COOKIE_BYTES);
  }
}
