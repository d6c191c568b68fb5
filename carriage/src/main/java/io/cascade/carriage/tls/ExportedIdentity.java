package io.cascade.carriage.tls;

/**
 * A relay's key and certificate, as they are handed to the process that takes its place and nowhere
 * else.
 *
 * @param privateKey PKCS #8, Base64
 * @param certificate X.509, Base64
 */
public record ExportedIdentity(String privateKey, String certificate) {

  /** Names the certificate and not the key. */
  @Override
  public String toString() {
    return "ExportedIdentity[" + certificate + "]";
  }
}
