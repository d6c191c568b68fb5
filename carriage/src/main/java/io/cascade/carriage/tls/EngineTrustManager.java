package io.cascade.carriage.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts peers by rules of its own instead of by issuers. Refuses connections without an engine.
 */
public abstract class EngineTrustManager extends X509ExtendedTrustManager {
  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw enginesOnly();
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw enginesOnly();
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw enginesOnly();
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw enginesOnly();
  }

  private static CertificateException enginesOnly() {
    return new CertificateException("engines only");
  }

  @Override
  public final X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
