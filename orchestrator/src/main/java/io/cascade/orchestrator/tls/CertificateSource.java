package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import org.jspecify.annotations.Nullable;

/** Source of the certificate. */
sealed interface CertificateSource permits SelfMadeCertificates, CertificateFiles {

  /**
   * The present certificate.
   *
   * @param pins keys that clients pin, the present one first; null if authorities trusted by the
   *     machine vouch for it
   */
  record Shown(ShownKey key, @Nullable KeyPins pins) {}

  /**
   * Reads the present certificate.
   *
   * @throws io.cascade.command.CommandException if there is none, or it is invalid
   */
  Shown look();
}
