package io.cascade.client.sealed;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What both ends derive once they have agreed (HKDF-SHA256, RFC 5869, with the messages before as
 * salt): the proofs that they have the same secret, and the sender's ticket.
 */
final class AgreedKeys {
  static final int MAC_BYTES = 32;
  private static final String MAC = "HmacSHA256";

  private final byte[] transcript;
  private final byte[] senderKey;
  private final byte[] receiverKey;
  private final Ticket ticket;

  /**
   * @param material of {@link KeyAgreement#material}
   * @param transcript SHA-256 of the messages before the proofs
   */
  AgreedKeys(byte[] material, byte[] transcript) {
    this.transcript = transcript;
    this.senderKey = derive(material, transcript, "sender");
    this.receiverKey = derive(material, transcript, "receiver");
    this.ticket = new Ticket(derive(material, transcript, "ticket"));
  }

  /** Proves that the sender has the secret. */
  byte[] senderProof() {
    return mac(senderKey, "sender", new byte[0]);
  }

  /**
   * Proves that the receiver has it.
   *
   * @param fingerprint of the certificate that it has in TLS
   */
  byte[] receiverProof(byte[] fingerprint) {
    return mac(receiverKey, "receiver", fingerprint);
  }

  /** What the sender shows on this connection and on later ones. */
  Ticket ticket() {
    return ticket;
  }

  private byte[] mac(byte[] key, String role, byte[] more) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      mac.update(role.getBytes(StandardCharsets.US_ASCII));
      mac.update(transcript);
      return mac.doFinal(more);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }

  private static byte[] derive(byte[] material, byte[] salt, String purpose) {
    byte[] info = ("cascade seal 1 " + purpose).getBytes(StandardCharsets.US_ASCII);
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract()
                  .addIKM(material)
                  .addSalt(salt)
                  .thenExpand(info, MAC_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HKDF-SHA256", e);
    }
  }
}
