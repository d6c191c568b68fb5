package io.cascade.coding.crypto;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys of one direction of a session. A key is used for 2^22 packet numbers, and the next one is
 * derived from it. So the number alone determines a packet's key: nothing has to be signalled, and
 * used-up keys cannot be derived from those in use.
 */
final class DirectionKeys {
  static final int TAG_BYTES = 16;
  private static final int PERIOD_BITS = 22;
  private static final int KEY_BYTES = 16;
  private static final int IV_BYTES = 12;
  private static final byte[] NOTHING = new byte[0];

  private final Cipher cipher;
  private long period;
  private byte[] secret;
  private Keys before;
  private Keys current;
  private Keys next;

  @SuppressWarnings("ArrayRecordComponent") // used in this class only, and never changed
  private record Keys(SecretKey key, byte[] iv) {
    static Keys of(byte[] secret) {
      return new Keys(
          new SecretKeySpec(Hkdf.expand(secret, "key", NOTHING, KEY_BYTES), "AES"),
          Hkdf.expand(secret, "iv", NOTHING, IV_BYTES));
    }
  }

  DirectionKeys(byte[] secret) {
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES/GCM is part of every JDK", e);
    }
    this.current = Keys.of(secret);
    this.before = current;
    this.secret = following(secret);
    this.next = Keys.of(this.secret);
  }

  private static byte[] following(byte[] secret) {
    return Hkdf.expand(secret, "next", NOTHING, Hkdf.HASH_BYTES);
  }

  /**
   * Seals or opens a packet.
   *
   * @param mode of {@link Cipher}
   * @param headBytes bytes of the packet that are authenticated and not encrypted
   * @param length of the packet, including its header; for sealing, there must be room for the
   *     authenticator after it
   * @return bytes written to {@code out} from {@code outAt} on
   * @throws GeneralSecurityException if the authenticator does not match
   */
  int apply(int mode, long number, byte[] packet, int headBytes, int length, byte[] out, int outAt)
      throws GeneralSecurityException {
    Keys keys = keys(number);
    byte[] nonce = keys.iv().clone();
    for (int i = 0; i < Long.BYTES; i++) {
      nonce[IV_BYTES - 1 - i] ^= (byte) (number >>> (8 * i));
    }
    AlgorithmParameterSpec parameters = new GCMParameterSpec(8 * TAG_BYTES, nonce);
    cipher.init(mode, keys.key(), parameters);
    cipher.updateAAD(packet, 0, headBytes);
    return cipher.doFinal(packet, headBytes, length - headBytes, out, outAt);
  }

  /** A packet with this number was sealed or opened: much older keys are discarded. */
  void used(long number) {
    while (number >>> PERIOD_BITS > period) {
      period++;
      before = current;
      current = next;
      secret = following(secret);
      next = Keys.of(secret);
    }
  }

  private Keys keys(long number) throws GeneralSecurityException {
    long ahead = (number >>> PERIOD_BITS) - period;
    if (ahead == 0) {
      return current;
    }
    if (ahead == 1) {
      return next;
    }
    if (ahead == -1) {
      return before;
    }
    throw new GeneralSecurityException("a packet number of long ago or far ahead");
  }
}
