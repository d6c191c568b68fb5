package io.cascade.orchestrator.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether the orchestrator serves TLS, and with which certificate. Does not depend on Spring.
 *
 * @param mode when TLS is served
 * @param certificate PEM file of the operator's certificate and its issuers; null if the
 *     orchestrator creates its own
 * @param key PEM file of its key; null if the orchestrator creates its own
 * @param advertise host at which others reach the orchestrator; null to derive it from its
 *     addresses
 */
public record TlsSettings(
    Mode mode, @Nullable Path certificate, @Nullable Path key, @Nullable String advertise) {

  /** The settings without options. */
  public static final TlsSettings USUAL = new TlsSettings(Mode.AUTO, null, null, null);

  /** When TLS is served. */
  public enum Mode {
    /** If hosts other than this machine can reach the orchestrator, or a certificate is given. */
    AUTO,
    ON,
    OFF
  }

  /** Whether to serve TLS at an address of this kind. */
  public boolean isServed(boolean loopback) {
    return mode == Mode.ON || (mode == Mode.AUTO && (!loopback || certificate != null));
  }
}
