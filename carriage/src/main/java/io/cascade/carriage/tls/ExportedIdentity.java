package io.cascade.carriage.tls;

/**
 * A relay's key and certificate, as handed to the process that replaces the relay's, and to no
 * other.
 *
 * @param privateKey PKCS #8, Base64
 * @param certificate X.509, Base64
 */
public record ExportedIdentity(String privateKey, String certificate) {

  /** Names the certificate and omits the key. */
  @Override
  public String toString() {
    return "ExportedIdentity[" + certificate + "]";
  }
}
