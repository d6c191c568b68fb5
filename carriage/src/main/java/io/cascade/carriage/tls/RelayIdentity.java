package io.cascade.carriage.tls;

import io.cascade.command.certificate.SelfSigned;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The relay's identity on hops: a key pair and a certificate, made when it starts and never written
 * to a file; only a process that replaces the relay's receives them.
 */
public final class RelayIdentity extends X509ExtendedKeyManager {
  private static final String ALIAS = "relay";
  private static final String KEY_TYPE = "EC";

  private final PrivateKey key;
  private final X509Certificate certificate;
  private final Fingerprint fingerprint;

  private RelayIdentity(PrivateKey key, X509Certificate certificate, Fingerprint fingerprint) {
    this.key = key;
    this.certificate = certificate;
    this.fingerprint = fingerprint;
  }

  /** Makes a new key pair and certificate. */
  public static RelayIdentity create(String name, SecureRandom random)
      throws GeneralSecurityException {
    KeyPair keys = SelfSigned.keys(random);
    X509Certificate certificate = SelfSigned.certificate(keys, name, List.of(), random);
    return new RelayIdentity(keys.getPrivate(), certificate, Fingerprint.of(certificate));
  }

  /**
   * @throws GeneralSecurityException unless they are a key and its certificate
   */
  static RelayIdentity of(ExportedIdentity exported) throws GeneralSecurityException {
    Base64.Decoder decoder = Base64.getDecoder();
    PrivateKey key =
        KeyFactory.getInstance(KEY_TYPE)
            .generatePrivate(new PKCS8EncodedKeySpec(decoder.decode(exported.privateKey())));
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(decoder.decode(exported.certificate())));
    return new RelayIdentity(key, certificate, Fingerprint.of(certificate));
  }

  ExportedIdentity exported() throws GeneralSecurityException {
    Base64.Encoder encoder = Base64.getEncoder();
    return new ExportedIdentity(
        encoder.encodeToString(key.getEncoded()), encoder.encodeToString(certificate.getEncoded()));
  }

  /** Fingerprint of the certificate. */
  public Fingerprint fingerprint() {
    return fingerprint;
  }

  X509Certificate certificate() {
    return certificate;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return Arrays.asList(keyTypes).contains(KEY_TYPE) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return keyType.equals(KEY_TYPE) ? ALIAS : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {certificate};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null; // engines only
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null; // engines only
  }
}
