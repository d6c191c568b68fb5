package io.cascade.relay.tls;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Whose TLS protects the hops. Relays that use different ones understand each other.
 *
 * <p>BoringSSL's costs less, in bulk and above all in handshakes, from the first one on, where the
 * JDK's has to be compiled before it is fast.
 */
public enum TlsLibrary {
  /** BoringSSL where this machine can load it, and the JDK elsewhere. */
  AUTO {
    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random)
        throws GeneralSecurityException {
      if (BORINGSSL.available()) {
        try {
          return BORINGSSL.engines(identity, random);
        } catch (GeneralSecurityException e) {
          LOG.log(Level.WARNING, "TLS by the JDK, which takes more of the processor", e);
        }
      }
      return JDK.engines(identity, random);
    }
  },
  BORINGSSL {
    @Override
    public boolean available() {
      return BoringSslEngines.areAvailable();
    }

    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random)
        throws GeneralSecurityException {
      return new BoringSslEngines(identity);
    }
  },
  JDK {
    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random)
        throws GeneralSecurityException {
      return new JdkEngines(identity, random);
    }
  };

  private static final Logger LOG = Logger.getLogger(TlsLibrary.class.getName());

  /** Whether this machine offers it. */
  public boolean available() {
    return true;
  }

  abstract TlsEngines engines(RelayIdentity identity, SecureRandom random)
      throws GeneralSecurityException;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
