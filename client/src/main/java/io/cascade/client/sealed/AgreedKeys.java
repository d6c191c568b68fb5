package io.cascade.client.sealed;

import io.cascade.coding.crypto.Hkdf;
import java.nio.charset.StandardCharsets;

/**
 * Keys that both ends derive after the key agreement (HKDF-SHA256, RFC 5869, with the previous
 * messages as salt): the proofs that they have the same secret, and the sender's ticket.
 */
final class AgreedKeys {
  static final int MAC_BYTES = 32;

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
    byte[] key = Hkdf.extract(transcript, material);
    this.senderKey = derive(key, "sender");
    this.receiverKey = derive(key, "receiver");
    this.ticket = new Ticket(derive(key, "ticket"));
  }

  /** Proof that the sender has the secret. */
  byte[] senderProof() {
    return mac(senderKey, "sender", new byte[0]);
  }

  /**
   * Proof that the receiver has the secret.
   *
   * @param fingerprint of the certificate that it uses in TLS
   */
  byte[] receiverProof(byte[] fingerprint) {
    return mac(receiverKey, "receiver", fingerprint);
  }

  /** The ticket that the sender presents on this connection and on later ones. */
  Ticket ticket() {
    return ticket;
  }

  private byte[] mac(byte[] key, String role, byte[] more) {
    return Hkdf.mac(key, role.getBytes(StandardCharsets.US_ASCII), transcript, more);
  }

  private static byte[] derive(byte[] key, String purpose) {
    return Hkdf.expand(key, "seal 1 " + purpose, new byte[0], MAC_BYTES);
  }
}
