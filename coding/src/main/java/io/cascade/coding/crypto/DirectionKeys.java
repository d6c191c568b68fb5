package io.cascade.coding.crypto;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys of one direction of a session. A key serves 2^22 packet numbers and the next follows from
 * it, so that the number alone says which key a packet has: nothing has to be signalled, and keys
 * that are used up cannot be derived from those in use.
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

  @SuppressWarnings("ArrayRecordComponent") // of this class, and never changed
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
   * @param headBytes of the packet that are authenticated and not encrypted
   * @param length of the packet, its head included; behind it is room for the tag when sealing
   * @return bytes written to {@code out} from {@code outAt} on
   * @throws GeneralSecurityException where the tag is not the packet's
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

  /** A packet of this number was sealed or opened: keys of long before are forgotten. */
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
