package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

/**
 * The operator's files. If authorities trusted by the machine vouch for the certificate, clients
 * verify its name, and its key may change freely. Otherwise clients pin its key, and a certificate
 * beside it, {@code FILE.next}, announces the next key in advance.
 */
final class CertificateFiles implements CertificateSource {
  private static final int MOST_BYTES = 1 << 20;

  private final Path certificate;
  private final Path key;
  private final Path next;

  CertificateFiles(Path certificate, Path key) {
    this.certificate = certificate;
    this.key = key;
    this.next = certificate.resolveSibling(certificate.getFileName() + ".next");
  }

  @Override
  public Shown look() {
    try {
      ShownKey shown = ShownKey.read(text(certificate), text(key));
      return new Shown(shown, isTrustedAnyway(shown) ? null : pins(shown));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(
          "--certificate " + certificate + " with --certificate-key " + key + ": " + reason(e), e);
    }
  }

  private static String reason(Exception e) {
    return e instanceof IOException ? "cannot be read (" + e + ")" : String.valueOf(e.getMessage());
  }

  private KeyPins pins(ShownKey shown) throws IOException {
    String coming = OwnerOnlyFile.read(next, MOST_BYTES);
    List<X509Certificate> certificates = List.of();
    if (coming != null) {
      try {
        certificates = PemContent.of(coming).getCertificates();
      } catch (IllegalStateException e) {
        throw new IllegalArgumentException(next + ": not understood as PEM", e);
      }
    }
    return certificates == null || certificates.isEmpty()
        ? KeyPins.of(shown.publicKey())
        : KeyPins.of(shown.publicKey(), certificates.getFirst().getPublicKey());
  }

  private static String text(Path file) throws IOException {
    String text = OwnerOnlyFile.read(file, MOST_BYTES);
    if (text == null) {
      throw new IllegalArgumentException("there is no " + file);
    }
    return text;
  }

  private static boolean isTrustedAnyway(ShownKey shown) {
    X509TrustManager authorities = authorities();
    if (authorities == null) {
      return false;
    }
    try {
      authorities.checkServerTrusted(shown.chain().toArray(X509Certificate[]::new), "UNKNOWN");
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  private static @Nullable X509TrustManager authorities() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager found) {
          return found;
        }
      }
      return null;
    } catch (GeneralSecurityException e) {
      return null; // a machine without trusted authorities
    }
  }
}
