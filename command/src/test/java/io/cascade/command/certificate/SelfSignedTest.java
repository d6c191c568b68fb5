package io.cascade.command.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfSignedTest {
  private final SecureRandom random = new SecureRandom();

  @Test
  void namesAreThereForThoseWhoCheckThem() throws GeneralSecurityException {
    KeyPair keys = SelfSigned.keys(random);
    X509Certificate made =
        SelfSigned.certificate(
            keys, "cascade", List.of("control.example.net", "192.0.2.7", "2001:db8::7"), random);

    made.verify(keys.getPublic());
    made.checkValidity();
    assertThat(made.getVersion()).isEqualTo(3);
    assertThat(made.getSubjectAlternativeNames())
        .containsExactly(
            List.of(2, "control.example.net"),
            List.of(7, "192.0.2.7"),
            List.of(7, "2001:db8:0:0:0:0:0:7"));
  }

  @Test
  void withoutNamesItHasTheBasicFieldsAlone() throws GeneralSecurityException {
    KeyPair keys = SelfSigned.keys(random);
    X509Certificate made = SelfSigned.certificate(keys, "r1", List.of(), random);

    made.verify(keys.getPublic());
    assertThat(made.getVersion()).isEqualTo(1);
    assertThat(made.getSubjectAlternativeNames()).isNull();
  }
}
