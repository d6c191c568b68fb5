package io.cascade.orchestrator.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.pem.PemContent;

/**
 * A key and its certificates.
 *
 * @param chain the certificate of the key first
 */
record ShownKey(PrivateKey key, List<X509Certificate> chain) {
  private static final String ALIAS = "orchestrator";
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /**
   * Reads PEM.
   *
   * @throws IllegalArgumentException if there is no key or no certificate, the first certificate is
   *     not of that key, or the certificates are not a chain
   */
  static ShownKey read(String certificates, String key) {
    List<X509Certificate> chain;
    PrivateKey secret;
    try {
      chain = PemContent.of(certificates).getCertificates();
      secret = PemContent.of(key).getPrivateKey();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("not understood as PEM", e);
    }
    if (chain == null || chain.isEmpty()) {
      throw new IllegalArgumentException("no certificate (BEGIN CERTIFICATE) in it");
    }
    if (secret == null) {
      throw new IllegalArgumentException("no key (BEGIN PRIVATE KEY) in it");
    }
    if (!belongTogether(secret, chain.getFirst().getPublicKey())) {
      throw new IllegalArgumentException("the key is not that of the first certificate");
    }
    ShownKey read = new ShownKey(secret, List.copyOf(chain));
    try {
      read.store();
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "each certificate must be issued by the next one in the file", e);
    }
    return read;
  }

  private static boolean belongTogether(PrivateKey secret, PublicKey shown) {
    String algorithm =
        switch (secret.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> secret.getAlgorithm();
        };
    byte[] sample = {1};
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(secret);
      signing.update(sample);
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(shown);
      verifying.update(sample);
      return verifying.verify(signing.sign());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  PublicKey publicKey() {
    return chain.getFirst().getPublicKey();
  }

  /** Bundle for the web server: TLS 1.3 only, which all clients of this project support. */
  SslBundle bundle() {
    try {
      return SslBundle.of(
          SslStoreBundle.of(store(), "", null),
          SslBundleKey.of("", ALIAS),
          SslOptions.of(null, new String[] {"TLSv1.3"}));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("it was a chain when it was read", e);
    }
  }

  /**
   * @throws GeneralSecurityException if the certificates are not a chain
   */
  private KeyStore store() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read", e);
    }
    store.setKeyEntry(ALIAS, key, new char[0], chain.toArray(Certificate[]::new));
    return store;
  }

  /** The certificates as PEM. */
  String certificates() {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : chain) {
      try {
        text.append(pem("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException("it was read from its encoding", e);
      }
    }
    return text.toString();
  }

  /** Key and certificates as PEM; secret. */
  String withKey() {
    return pem("PRIVATE KEY", key.getEncoded()) + certificates();
  }

  private static String pem(String what, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, LINES.encodeToString(der), what);
  }

  /** Leaves out the key. */
  @Override
  public String toString() {
    return "ShownKey[" + chain.getFirst().getSubjectX500Principal() + "]";
  }
}
