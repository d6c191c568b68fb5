package io.cascade.orchestrator.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether the orchestrator serves TLS, and with which certificate. Knows nothing of Spring.
 *
 * @param mode whether it does
 * @param certificate PEM file of the operator's certificate and those that issued it; null where
 *     the orchestrator makes its own
 * @param key PEM file of its key; null where the orchestrator makes its own
 * @param advertise host by which others reach the orchestrator; null where its addresses say it
 */
public record TlsSettings(
    Mode mode, @Nullable Path certificate, @Nullable Path key, @Nullable String advertise) {

  /** As it is without any option. */
  public static final TlsSettings USUAL = new TlsSettings(Mode.AUTO, null, null, null);

  /** When TLS is served. */
  public enum Mode {
    /** Where others than this machine reach the orchestrator, or a certificate is given. */
    AUTO,
    ON,
    OFF
  }

  /** Whether to serve TLS at an address of that kind. */
  public boolean isServed(boolean loopback) {
    return mode == Mode.ON || (mode == Mode.AUTO && (!loopback || certificate != null));
  }
}
