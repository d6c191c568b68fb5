package io.cascade.carriage.tls;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a connection's protection failed: a record was altered, the input ended without TLS's
 * own end, or the peer is not the expected one. Nothing more is read from such a connection.
 */
public sealed class TlsFailure extends ConnectionFailure permits TlsKeyLimit {
  private static final long serialVersionUID = 1;

  TlsFailure(String message) {
    this(message, null);
  }

  TlsFailure(String message, @Nullable Throwable cause) {
    this(ConnectionError.NOT_GENUINE, message, cause);
  }

  TlsFailure(ConnectionError error, String message, @Nullable Throwable cause) {
    super(error, message, cause);
  }
}
