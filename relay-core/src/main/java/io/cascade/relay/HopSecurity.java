package io.cascade.relay;

import java.util.Locale;

/** Whether a relay's hops are encrypted. */
public enum HopSecurity {
  /** Never: the relay has no certificate. */
  PLAIN,
  /** When a chain asks for it. */
  OPTIONAL,
  /** Always: other hops are refused. */
  TLS;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
