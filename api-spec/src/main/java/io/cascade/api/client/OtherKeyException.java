package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import java.security.cert.CertificateException;

/** A server has another key than the pinned ones. */
final class OtherKeyException extends CertificateException {
  private static final long serialVersionUID = 1;

  OtherKeyException(ServerAddress server, KeyPins pinned, KeyPins shown) {
    super(
        "it presents the key "
            + shown
            + ", but pinned are "
            + pinned
            + ": another server answers there, or its key was changed twice since the last call;"
            + " fix:"
            + " compare with `cascade certificate` on the orchestrator's machine; if the keys"
            + " are the same, use the address "
            + server.base()
            + "#"
            + shown
            + ", or join again");
  }
}
