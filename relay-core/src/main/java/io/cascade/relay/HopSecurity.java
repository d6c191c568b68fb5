package io.cascade.relay;

import java.util.Locale;

/** Policy for the encryption of a relay's hops. */
public enum HopSecurity {
  /** No hop is encrypted: the relay has no certificate. */
  PLAIN,
  /** Hops are encrypted if the chain requests it. */
  OPTIONAL,
  /** All hops are encrypted: others are refused. */
  TLS;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
