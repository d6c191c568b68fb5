package io.cascade.relay.tls;

/**
 * A relay's identity as it is handed to the process that takes its place, and nowhere else.
 *
 * @param privateKey PKCS #8, Base64
 * @param certificate X.509, Base64
 */
public record IdentityPapers(String privateKey, String certificate) {

  /** Without the key. */
  @Override
  public String toString() {
    return "IdentityPapers[" + certificate + "]";
  }
}
