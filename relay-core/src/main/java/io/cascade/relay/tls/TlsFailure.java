package io.cascade.relay.tls;

import java.io.IOException;

/**
 * A connection whose protection failed: a record that was tampered with, an end without TLS's own
 * end, a peer that is not who it should be. Nothing more is read from such a connection.
 */
public sealed class TlsFailure extends IOException permits TlsKeyLimit {
  TlsFailure(String message) {
    super(message);
  }

  TlsFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
