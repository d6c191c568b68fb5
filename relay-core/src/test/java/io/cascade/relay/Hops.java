package io.cascade.relay;

import io.cascade.carriage.tls.TlsLibrary;
import java.util.Locale;

/** What protects the connections between a test's relays. */
public enum Hops {
  PLAIN(TlsLibrary.AUTO),
  TLS(TlsLibrary.AUTO),
  TLS_OF_THE_JDK(TlsLibrary.JDK);

  private final TlsLibrary library;

  Hops(TlsLibrary library) {
    this.library = library;
  }

  public boolean areEncrypted() {
    return this != PLAIN;
  }

  /** What relays have for encrypted hops. */
  public TlsLibrary library() {
    return library;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
