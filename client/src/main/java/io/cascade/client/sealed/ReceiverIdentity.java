package io.cascade.client.sealed;

import io.cascade.carriage.tls.RelayIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

/** A receiver's key and certificate for TLS, made at its start and kept in memory only. */
public final class ReceiverIdentity {
  /** SHA-256 of a certificate. */
  static final int FINGERPRINT_BYTES = 32;

  private final SSLContext context;
  private final byte[] fingerprint;

  private ReceiverIdentity(SSLContext context, byte[] fingerprint) {
    this.context = context;
    this.fingerprint = fingerprint;
  }

  /** Creates a new random identity. */
  public static ReceiverIdentity create() {
    try {
      SecureRandom random = new SecureRandom();
      RelayIdentity made = RelayIdentity.create("cascade receive", random);
      return new ReceiverIdentity(
          TlsEnds.context(new KeyManager[] {made}, new TrustManager[0], random),
          HexFormat.of().parseHex(made.fingerprint().sha256()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS 1.3 and P-256", e);
    }
  }

  byte[] fingerprint() {
    return fingerprint.clone();
  }

  SSLEngine engine() throws IOException {
    return TlsEnds.restricted(context.createSSLEngine(), false);
  }
}
