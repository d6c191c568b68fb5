package io.cascade.api.identity;

import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.Role;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * A relay's Ed25519 key pair (RFC 8032), which identifies it independently of its name and address.
 */
public final class RelayKey {
  static final String ALGORITHM = "Ed25519";

  private final PrivateKey secret;
  private final String publicKey;

  private RelayKey(PrivateKey secret, String publicKey) {
    this.secret = secret;
    this.publicKey = publicKey;
  }

  /** Generates a new key pair. */
  public static RelayKey generate() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      return new RelayKey(
          pair.getPrivate(), Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a pair in the form of {@link #secretText} and {@link #publicKey}.
   *
   * @throws IllegalArgumentException when these are not keys, or do not belong together
   */
  public static RelayKey read(String secretText, String publicKey) {
    RelayKey key;
    try {
      byte[] pkcs8 = Base64.getDecoder().decode(secretText);
      key =
          new RelayKey(
              KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)),
              publicKey);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not an Ed25519 key", e);
    }
    byte[] sample = {1};
    if (!RelayProof.verifies(publicKey, sample, key.sign(sample))) {
      throw new IllegalArgumentException("the public key is not that of the secret one");
    }
    return key;
  }

  /** SubjectPublicKeyInfo (RFC 8410) in Base64. */
  public String publicKey() {
    return publicKey;
  }

  /** PKCS #8 (RFC 8410) in Base64; secret. */
  public String secretText() {
    return Base64.getEncoder().encodeToString(secret.getEncoded());
  }

  /** Accepts an invitation, which is then bound to this key. */
  public EnrolmentRequest accept(InvitationSecret invitation, String name, Role role) {
    EnrolmentRequest unsigned = new EnrolmentRequest(name, role, publicKey, "");
    return new EnrolmentRequest(name, role, publicKey, sign(SignedBytes.of(invitation, unsigned)));
  }

  /** The signature in Base64. */
  String sign(byte[] message) {
    try {
      Signature signing = Signature.getInstance(ALGORITHM);
      signing.initSign(secret);
      signing.update(message);
      return Base64.getEncoder().encodeToString(signing.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Leaves out the secret key. */
  @Override
  public String toString() {
    return "RelayKey[" + publicKey + "]";
  }
}
