package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import org.jspecify.annotations.Nullable;

/** Where the certificate comes from. */
sealed interface CertificateSource permits SelfMadeCertificates, CertificateFiles {

  /**
   * What is to be shown now.
   *
   * @param pins keys that clients are to know the server by, the present one first; null where the
   *     machine's authorities vouch for it
   */
  record Shown(ShownKey key, @Nullable KeyPins pins) {}

  /**
   * Looks what there is.
   *
   * @throws io.cascade.command.CommandException where that can be shown to nobody
   */
  Shown look();
}
