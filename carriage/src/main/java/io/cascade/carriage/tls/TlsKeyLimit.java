package io.cascade.carriage.tls;

import io.cascade.carriage.transport.ConnectionError;

/**
 * Thrown when a connection's key has reached its usage limit, and its TLS library cannot update it.
 * What was sealed before has been sent; the next write fails with this before it is sealed.
 */
public final class TlsKeyLimit extends TlsFailure {
  private static final long serialVersionUID = 1;

  public TlsKeyLimit(String message) {
    super(ConnectionError.KEY_USED_UP, message, null);
  }
}
