package io.cascade.carriage.tls;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/** TLS of the JDK. */
final class JdkEngines implements TlsEngines {
  private static final String PROTOCOL = "TLSv1.3";

  /** AES first: relays have instructions for it. RFC 8446 section 9.1 and appendix B.4. */
  private static final String[] CIPHERS = {
    "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
  };

  /**
   * Only one, since a client generates a key for each group that it offers. This one costs the JDK
   * a third of P-256, and both ends are relays, which support it.
   */
  private static final String[] GROUPS = {"x25519"};

  private final SSLContext context;

  /**
   * Engines whose peer has presented its certificate in this handshake, and not only in a resumed
   * one.
   */
  private final Set<SSLEngine> shown = ConcurrentHashMap.newKeySet();

  JdkEngines(RelayIdentity identity, SecureRandom random) throws GeneralSecurityException {
    context = SSLContext.getInstance(PROTOCOL);
    context.init(new KeyManager[] {identity}, new TrustManager[] {new ProofOfPossession()}, random);
  }

  @Override
  public TlsEngine dialling(InetSocketAddress peer, Fingerprint expected) {
    SSLEngine engine = context.createSSLEngine(peer.getAddress().getHostAddress(), peer.getPort());
    engine.setUseClientMode(true);
    return restricted(engine);
  }

  @Override
  public TlsEngine accepting() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return restricted(engine);
  }

  private TlsEngine restricted(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setCipherSuites(CIPHERS);
    parameters.setNamedGroups(GROUPS);
    engine.setSSLParameters(parameters);
    return new JdkEngine(engine, shown);
  }

  /**
   * Accepts any certificate: TLS verifies that the peer holds its key. The fingerprint identifies
   * the peer. {@link TlsRecords} compares it for connections that this relay dials, and the hop
   * port for accepted ones once their header names the chain.
   */
  private final class ProofOfPossession extends EngineTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      took(chain, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      took(chain, engine);
    }

    private void took(X509Certificate[] chain, SSLEngine engine) throws CertificateException {
      if (chain.length != 1) {
        throw new CertificateException(
            "a chain of " + chain.length + " certificates (expected: one, the relay's own)");
      }
      shown.add(engine);
    }
  }
}
