package io.cascade.relay.tls;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One relay's TLS: TLS 1.3 only, both ends show a certificate, sessions are resumed.
 *
 * <p>The identity is made at the first need, which takes a moment; {@link #fingerprint()} is
 * therefore called off the event loops, and before any peer can know this relay.
 */
public final class HopTls {
  private static final String PROTOCOL = "TLSv1.3";

  /** Handshakes cost time before anybody has proved anything. */
  private static final int MOST_UNDERWAY = 1_024;

  /** AES first: relays have instructions for it. RFC 8446 section 9.1 and appendix B.4. */
  private static final String[] CIPHERS = {
    "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
  };

  /**
   * One alone: a client makes a key for each kind it offers. This one costs the JDK a third of what
   * P-256 does, and both ends are relays, which have it.
   */
  private static final String[] GROUPS = {"x25519"};

  private final String name;
  private final Executor computations;
  private final LongAdder full = new LongAdder();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** Engines in the middle of a handshake whose peer has shown its certificate. */
  private final Set<SSLEngine> shown = ConcurrentHashMap.newKeySet();

  private final AtomicInteger underway = new AtomicInteger();
  private volatile @Nullable Ready ready;

  private record Ready(RelayIdentity identity, SSLContext context) {}

  /**
   * @param name the relay's, for its certificate
   */
  public HopTls(String name) {
    this(name, Thread::startVirtualThread);
  }

  /**
   * @param computations runs the signatures and key exchanges of handshakes
   */
  HopTls(String name, Executor computations) {
    this.name = name;
    this.computations = computations;
  }

  /** This relay's own, which its neighbours must be told. Blocks the first time. */
  public Fingerprint fingerprint() {
    return make().identity().fingerprint();
  }

  /** For a connection to a relay that must show this certificate. Blocks the first time. */
  public TlsRecords dialling(InetSocketAddress peer, Fingerprint expected) {
    SSLEngine engine =
        engine(
            make().context().createSSLEngine(peer.getAddress().getHostAddress(), peer.getPort()));
    engine.setUseClientMode(true);
    return new TlsRecords(engine, this, expected);
  }

  /**
   * For an accepted connection; null before anybody can know this relay's certificate, and where
   * too many others shake hands just now.
   */
  public @Nullable TlsRecords accepting() {
    Ready now = ready;
    if (now == null) {
      return null;
    }
    if (underway.incrementAndGet() > MOST_UNDERWAY) {
      underway.decrementAndGet();
      return null;
    }
    SSLEngine engine = engine(now.context().createSSLEngine());
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return new TlsRecords(engine, this, null);
  }

  /** Handshakes since the start that were {@code full}, {@code resumed} or {@code failed}. */
  public Map<String, Long> handshakes() {
    return Map.of("full", full.sum(), "resumed", resumed.sum(), "failed", failed.sum());
  }

  Executor computations() {
    return computations;
  }

  void finished(SSLEngine engine) {
    (shown.remove(engine) ? full : resumed).increment();
    over(engine);
  }

  void failed(SSLEngine engine) {
    shown.remove(engine);
    failed.increment();
    over(engine);
  }

  private void over(SSLEngine engine) {
    if (!engine.getUseClientMode()) {
      underway.decrementAndGet();
    }
  }

  /** For a process that takes this relay's place; null where nobody has needed it yet. */
  public @Nullable IdentityPapers papers() {
    Ready now = ready;
    try {
      return now == null ? null : now.identity().papers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("keys and certificates made here can be written", e);
    }
  }

  /**
   * Is from now on who another process was. Before the first need.
   *
   * @throws IllegalArgumentException unless they are a key and its certificate
   */
  public synchronized void inherit(IdentityPapers papers) {
    try {
      ready = ready(RelayIdentity.of(papers), new SecureRandom());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("papers: " + e.getMessage(), e);
    }
  }

  private Ready ready(RelayIdentity identity, SecureRandom random) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(PROTOCOL);
    context.init(new KeyManager[] {identity}, new TrustManager[] {new ProofOfPossession()}, random);
    return new Ready(identity, context);
  }

  private synchronized Ready make() {
    Ready now = ready;
    if (now == null) {
      try {
        SecureRandom random = new SecureRandom();
        now = ready(RelayIdentity.create(name, random), random);
        ready = now;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("P-256 and TLS 1.3 are part of every JDK", e);
      }
    }
    return now;
  }

  private static SSLEngine engine(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setCipherSuites(CIPHERS);
    parameters.setNamedGroups(GROUPS);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /**
   * Takes any certificate: TLS makes sure that the peer holds its key. Whose it is, is decided by
   * the fingerprint, which {@link TlsRecords} compares for connections that this relay dials, and
   * the hop port for accepted ones as soon as their header names the chain.
   */
  private final class ProofOfPossession extends X509ExtendedTrustManager {
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

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("engines only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("engines only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("engines only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("engines only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
