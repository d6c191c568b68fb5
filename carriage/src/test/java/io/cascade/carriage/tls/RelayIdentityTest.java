package io.cascade.carriage.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The JDK reads what is written here as the certificate that it is meant to be. */
class RelayIdentityTest {
  private final SecureRandom random = new SecureRandom();

  @Test
  void isACertificateThatItsOwnKeySigned() throws GeneralSecurityException {
    X509Certificate certificate = RelayIdentity.create("berlin-1", random).certificate();

    certificate.verify(certificate.getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=berlin-1");
    assertThat(certificate.getIssuerX500Principal())
        .isEqualTo(certificate.getSubjectX500Principal());
    assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(certificate.getVersion()).isEqualTo(1);
  }

  @Test
  void isValidWhateverTheClockSays() throws GeneralSecurityException {
    X509Certificate certificate = RelayIdentity.create("r", random).certificate();

    certificate.checkValidity(Date.from(Instant.parse("1970-01-02T00:00:00Z")));
    certificate.checkValidity(Date.from(Instant.parse("2999-01-01T00:00:00Z")));
  }

  @Test
  void isAnotherOneAtEveryStart() throws GeneralSecurityException {
    assertThat(RelayIdentity.create("r", random).fingerprint())
        .isNotEqualTo(RelayIdentity.create("r", random).fingerprint());
  }

  @Test
  void holdsANameOfAnyLengthThatRelaysMayHave() throws GeneralSecurityException {
    String longest = "r".repeat(63);
    X509Certificate certificate = RelayIdentity.create(longest, random).certificate();

    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + longest);
  }

  @Test
  void isKnownByTheDigestOfItsDerForm() throws GeneralSecurityException {
    RelayIdentity identity = RelayIdentity.create("r", random);
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(identity.certificate().getEncoded());

    assertThat(identity.fingerprint().sha256()).isEqualTo(HexFormat.of().formatHex(digest));
  }

  @Test
  void aFingerprintHas64LowerCaseDigits() {
    assertThatThrownBy(() -> new Fingerprint("AB".repeat(32)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "certificateSha256: 64 characters (expected: 64 lower-case hexadecimal digits)");
  }
}
