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
 * The certificate that the server shows now. Another one is shown from the next handshake on;
 * connections go on.
 */
public final class ServerCertificate implements AutoCloseable {
  /** Name of the bundle by which the web server gets it. */
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
   * The operator's, where the settings name files; else one that is made in the folder, where there
   * is none yet.
   *
   * @param names of the host, for certificates that are made
   * @throws CommandException where there is none to show
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
   * From where the next web server gets it, and hears that it is another one. Servers before hear
   * of nothing any more: a registry keeps all who listen to it.
   */
  public synchronized DefaultSslBundleRegistry newRegistry() {
    registry = registryOf(shown);
    return registry;
  }

  private static DefaultSslBundleRegistry registryOf(CertificateSource.Shown shown) {
    return new DefaultSslBundleRegistry(BUNDLE, shown.key().bundle());
  }

  /** Keys by which clients are to know the server; null where by authorities. */
  public @Nullable KeyPins pins() {
    return shown.pins();
  }

  /** Whether it was made here. */
  boolean isSelfMade() {
    return source instanceof SelfMadeCertificates;
  }

  /** The certificates that are shown, as PEM. */
  String pem() {
    return shown.key().certificates();
  }

  /** Begins to look whether the operator's files have changed. */
  public void watch() {
    if (!isSelfMade()) {
      task = PeriodicTask.every(LOOK, "certificate", this::look);
    }
  }

  /** Files that are being replaced may not belong together at the moment: the next look tells. */
  synchronized void look() {
    try {
      show(source.look());
      complaint = null;
    } catch (CommandException e) {
      if (!String.valueOf(e.getMessage()).equals(complaint)) {
        complaint = e.getMessage();
        LOG.warn("{}; the certificate before goes on being shown", complaint);
      }
    }
  }

  /**
   * Shows the next key from now on.
   *
   * @throws Refusal where the certificate is the operator's
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
      LOG.info("another certificate is shown from now on: {}", now.pins());
    }
    shown = now; // nobody is told of a key that is not shown yet
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }
}
