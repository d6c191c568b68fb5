package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.PeriodicTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/**
 * The server's present certificate. A new one is used from the next handshake on; open connections
 * continue.
 */
public final class ServerCertificate implements AutoCloseable {
  /** Name of the web server's SSL bundle. */
  public static final String BUNDLE = "orchestrator";

  private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final CertificateSource source;
  private volatile CertificateSource.Shown shown;
  private DefaultSslBundleRegistry registry;
  private @Nullable String complaint;
  private @Nullable PeriodicTask task;

  private ServerCertificate(CertificateSource source) {
    this.source = source;
    this.shown = source.look();
    this.registry = registryOf(shown);
  }

  /**
   * The operator's certificate, if the settings name files; otherwise one in the folder, which is
   * created if there is none.
   *
   * @param names names of the host, for certificates that are created
   * @throws CommandException if there is no valid certificate
   */
  public static ServerCertificate of(TlsSettings settings, Path folder, Collection<String> names) {
    Path certificate = settings.certificate();
    Path key = settings.key();
    return new ServerCertificate(
        certificate == null || key == null
            ? new SelfMadeCertificates(folder, names)
            : new CertificateFiles(certificate, key));
  }

  /**
   * A registry for the next web server, which is notified of new certificates. Replaces the
   * previous one, since a registry keeps its listeners forever.
   */
  public synchronized DefaultSslBundleRegistry newRegistry() {
    registry = registryOf(shown);
    return registry;
  }

  private static DefaultSslBundleRegistry registryOf(CertificateSource.Shown shown) {
    return new DefaultSslBundleRegistry(BUNDLE, shown.key().bundle());
  }

  /** Keys that clients pin; null if they verify the certificate by authorities. */
  public @Nullable KeyPins pins() {
    return shown.pins();
  }

  /** Whether the orchestrator has created the certificate. */
  boolean isSelfMade() {
    return source instanceof SelfMadeCertificates;
  }

  /** The present certificates, as PEM. */
  String pem() {
    return shown.key().certificates();
  }

  /** Starts to check periodically whether the operator's files have changed. */
  public void watch() {
    if (!isSelfMade()) {
      task = PeriodicTask.every(LOOK, "certificate", this::look);
    }
  }

  /**
   * Reads the certificate again. Files that are being replaced may not match for a moment; the next
   * check succeeds.
   */
  synchronized void look() {
    try {
      show(source.look());
      complaint = null;
    } catch (CommandException e) {
      if (!String.valueOf(e.getMessage()).equals(complaint)) {
        complaint = e.getMessage();
        LOG.warn("{}; the previous certificate stays in use", complaint);
      }
    }
  }

  /**
   * Switches to the next key.
   *
   * @throws Refusal if the certificate is the operator's
   */
  synchronized void rotate() {
    if (!(source instanceof SelfMadeCertificates made)) {
      throw new Refusal(
          ProblemKind.CERTIFICATE_OF_THE_OPERATOR,
          "replace the files of --certificate and --certificate-key: they are read again");
    }
    show(made.rotate());
  }

  private void show(CertificateSource.Shown now) {
    if (!now.key().equals(shown.key())) {
      registry.updateBundle(BUNDLE, now.key().bundle());
      LOG.info("a new certificate is in use: {}", now.pins());
    }
    shown = now; // pins are published only for a key that is in use
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }
}
