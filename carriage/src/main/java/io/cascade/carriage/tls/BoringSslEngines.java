package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.internal.tcnative.CertificateVerifier;
import io.netty.internal.tcnative.Library;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLContext;
import io.netty.util.internal.NativeLibraryLoader;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * TLS by BoringSSL, which netty-tcnative contains. It is called directly, since Netty's own engine
 * ends both directions when the peer ends one.
 *
 * <p>A relay makes one instance, which BoringSSL keeps until the process ends.
 */
final class BoringSslEngines implements TlsEngines {
  private static final Logger LOG = Logger.getLogger(BoringSslEngines.class.getName());

  /**
   * Name in the C interface: the library is linked into tcnative's, so that none has to be found.
   */
  private static final String LINKED = "provided";

  private static final String GROUP = "X25519";

  /** A relay's certificate has some 400 bytes. Each ticket contains it. */
  private static final int MOST_CERTIFICATE = 4_096;

  private static final boolean LOADED = load();

  private final long dialling;
  private final long accepting;
  private final long chain;
  private final long key;
  private final long keyLimitBytes;
  private final ResumableSessions sessions = new ResumableSessions();

  /**
   * @param keyLimitBytes most bytes that one key of AES-GCM may seal, see {@link KeyUse}
   * @throws GeneralSecurityException if BoringSSL does not accept this identity
   */
  BoringSslEngines(RelayIdentity identity, long keyLimitBytes) throws GeneralSecurityException {
    this.keyLimitBytes = keyLimitBytes;
    ExportedIdentity exported = identity.exported();
    try {
      chain = parsed("CERTIFICATE", exported.certificate(), SSL::parseX509Chain);
      key = parsed("PRIVATE KEY", exported.privateKey(), bio -> SSL.parsePrivateKey(bio, null));
      dialling = context(SSL.SSL_MODE_CLIENT);
      accepting = context(SSL.SSL_MODE_SERVER);
    } catch (Exception | LinkageError e) { // tcnative declares no narrower type
      throw new GeneralSecurityException("BoringSSL: " + e.getMessage(), e);
    }
    SSLContext.setSessionCacheMode(dialling, SSL.SSL_SESS_CACHE_CLIENT);
    SSLContext.setSSLSessionCache(dialling, sessions);
  }

  long keyLimitBytes() {
    return keyLimitBytes;
  }

  /** Whether this machine can load BoringSSL. */
  static boolean areAvailable() {
    return LOADED;
  }

  @Override
  public TlsEngine dialling(InetSocketAddress peer, Fingerprint expected) {
    return new BoringSslEngine(this, expected);
  }

  @Override
  public TlsEngine accepting() {
    return new BoringSslEngine(this, null);
  }

  /**
   * Makes BoringSSL's part of a connection, to be freed by {@link #forget}.
   *
   * @param expected the certificate that the peer must present, if this relay dials
   */
  long newConnection(@Nullable Fingerprint expected) throws GeneralSecurityException {
    long ssl = SSL.newSSL(expected == null ? accepting : dialling, expected == null);
    try {
      SSL.setKeyMaterial(ssl, chain, key);
    } catch (Exception e) { // tcnative declares no narrower type
      SSL.freeSSL(ssl);
      throw new GeneralSecurityException("BoringSSL: " + e.getMessage(), e);
    }
    if (expected != null) {
      sessions.resume(ssl, expected);
    }
    return ssl;
  }

  void forget(long ssl) {
    sessions.forget(ssl);
    SSL.freeSSL(ssl);
  }

  private static long context(int mode) throws Exception {
    long context = SSLContext.make(SSL.SSL_PROTOCOL_TLSV1_3, mode);
    SSLContext.clearOptions(context, SSL.SSL_OP_NO_TICKET);
    SSLContext.setSessionIdContext(context, "hop".getBytes(StandardCharsets.US_ASCII));
    SSLContext.setCurvesList(context, GROUP);
    SSLContext.setMode(context, SSL.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER); // when more room is lent
    SSLContext.setVerify(context, SSL.SSL_CVERIFY_REQUIRED, 2);
    SSLContext.setCertVerifyCallback(context, new ProofOfPossession());
    return context;
  }

  private interface Parser {
    long parse(long bio) throws Exception;
  }

  private static long parsed(String what, String der, Parser parser) throws Exception {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    String pem =
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(what, lines.encodeToString(Base64.getDecoder().decode(der)));
    byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
    ByteBuf direct = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
    long bio = SSL.newMemBIO();
    try {
      SSL.bioWrite(bio, BoringSslEngine.address(direct, 0, bytes.length), bytes.length);
      return parser.parse(bio);
    } finally {
      SSL.freeBIO(bio);
      direct.setZero(0, bytes.length).release();
    }
  }

  private static boolean load() {
    String library =
        "netty_tcnative_"
            + PlatformDependent.normalizedOs()
            + '_'
            + PlatformDependent.normalizedArch();
    try {
      NativeLibraryLoader.load(library, SSL.class.getClassLoader());
      Library.initialize(LINKED, null);
      return true;
    } catch (Exception | LinkageError e) {
      LOG.log(Level.INFO, "TLS by the JDK, which takes more processor time: {0}", e.toString());
      return false;
    }
  }

  /**
   * Accepts any single certificate: TLS verifies that the peer holds its key. The fingerprint
   * identifies the peer, as with {@link JdkEngines}.
   */
  private static final class ProofOfPossession extends CertificateVerifier {
    @Override
    public int verify(long ssl, byte[][] chain, String type) {
      if (chain.length != 1) {
        return X509_V_ERR_CERT_CHAIN_TOO_LONG;
      }
      return chain[0].length <= MOST_CERTIFICATE ? X509_V_OK : X509_V_ERR_CERT_REJECTED;
    }
  }
}
