package io.cascade.coding.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;
import org.jspecify.annotations.Nullable;

/** A handshake's X25519 key (RFC 7748), by the JDK. */
final class AgreementKey {
  static final int PUBLIC_BYTES = 32;
  private static final String ALGORITHM = "X25519";

  private final KeyPair pair;

  AgreementKey() {
    try {
      this.pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /** The public key as RFC 7748 writes it: little-endian. */
  byte[] publicBytes() {
    byte[] big = ((XECPublicKey) pair.getPublic()).getU().toByteArray();
    byte[] little = new byte[PUBLIC_BYTES];
    for (int i = 0; i < Math.min(big.length, PUBLIC_BYTES); i++) {
      little[i] = big[big.length - 1 - i];
    }
    return little;
  }

  /**
   * The secret shared with a peer; null if the peer's key is invalid, such as one of small order.
   */
  byte @Nullable [] agree(byte[] peer) {
    byte[] big = new byte[PUBLIC_BYTES];
    for (int i = 0; i < PUBLIC_BYTES; i++) {
      big[i] = peer[PUBLIC_BYTES - 1 - i];
    }
    big[0] &= 0x7f;
    try {
      KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
      agreement.init(pair.getPrivate());
      agreement.doPhase(
          KeyFactory.getInstance(ALGORITHM)
              .generatePublic(
                  new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, big))),
          true);
      return agreement.generateSecret();
    } catch (GeneralSecurityException | IllegalStateException e) {
      return null;
    }
  }
}
