package io.cascade.client.sealed;

import io.cascade.carriage.tls.EngineTrustManager;
import io.cascade.client.transfer.content.Sha256;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/** TLS 1.3 configuration of both ends. */
final class TlsEnds {
  private static final String PROTOCOL = "TLSv1.3";

  /**
   * The cipher suite that every TLS 1.3 implementation has (RFC 8446 section 9.1), and for which
   * processors have instructions.
   */
  private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256"};

  private static final String[] GROUPS = {"x25519"};

  private TlsEnds() {}

  static SSLContext context(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(PROTOCOL);
    context.init(keys, trust, random);
    return context;
  }

  /**
   * The sender's end.
   *
   * @param pinned fingerprint of the only certificate that it accepts; asked once TLS has begun
   */
  static SSLEngine sender(Supplier<byte[]> pinned) {
    try {
      SSLContext context =
          context(new KeyManager[0], new TrustManager[] {new Pinned(pinned)}, new SecureRandom());
      return restricted(context.createSSLEngine(), true);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS 1.3", e);
    }
  }

  static SSLEngine restricted(SSLEngine engine, boolean sender) {
    engine.setUseClientMode(sender);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setCipherSuites(CIPHERS);
    parameters.setNamedGroups(GROUPS);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The receiver presents another certificate than before. */
  static final class OtherCertificate extends CertificateException {
    private static final long serialVersionUID = 1;

    OtherCertificate() {
      super("the certificate is not the receiver's");
    }
  }

  private static final class Pinned extends EngineTrustManager {
    private final Supplier<byte[]> pinned;

    Pinned(Supplier<byte[]> pinned) {
      this.pinned = pinned;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      byte[] shown = Sha256.of(chain[0].getEncoded()).bytes();
      if (chain.length != 1 || !MessageDigest.isEqual(shown, pinned.get())) {
        throw new OtherCertificate();
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("senders have none");
    }
  }
}
