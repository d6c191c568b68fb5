package io.cascade.relay.tls;

/**
 * A connection's key may seal no more, and its TLS library cannot change it. What was sealed before
 * has been sent; the next write fails with this, before it is sealed.
 */
public final class TlsKeyLimit extends TlsFailure {
  public TlsKeyLimit(String message) {
    super(message);
  }
}
