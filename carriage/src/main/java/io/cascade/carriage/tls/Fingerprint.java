package io.cascade.carriage.tls;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a certificate's DER form, by which relays identify each other.
 *
 * @param sha256 64 lower-case hexadecimal digits
 */
public record Fingerprint(String sha256) {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

  public Fingerprint {
    if (!FORM.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "certificateSha256: "
              + sha256.length()
              + " characters (expected: 64 lower-case hexadecimal digits)");
    }
  }

  static Fingerprint of(Certificate certificate) throws GeneralSecurityException {
    return of(certificate.getEncoded());
  }

  /**
   * @param der a certificate's DER form
   */
  static Fingerprint of(byte[] der) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(der);
      return new Fingerprint(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }

  @Override
  public String toString() {
    return sha256;
  }
}
