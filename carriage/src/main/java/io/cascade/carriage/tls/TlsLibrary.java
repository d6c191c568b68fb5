package io.cascade.carriage.tls;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The library whose TLS protects the hops. Relays that use different ones understand each other.
 *
 * <p>BoringSSL's costs less, in bulk and above all in handshakes, from the first one on, where the
 * JDK's has to be compiled before it is fast.
 */
public enum TlsLibrary {
  /** BoringSSL where this machine can load it, and the JDK elsewhere. */
  AUTO {
    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
        throws GeneralSecurityException {
      if (BORINGSSL.available()) {
        try {
          return BORINGSSL.engines(identity, random, keyLimitBytes);
        } catch (GeneralSecurityException e) {
          LOG.log(Level.WARNING, "TLS by the JDK, which takes more of the processor", e);
        }
      }
      return JDK.engines(identity, random, keyLimitBytes);
    }
  },
  BORINGSSL {
    @Override
    public boolean available() {
      return BoringSslEngines.areAvailable();
    }

    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
        throws GeneralSecurityException {
      return new BoringSslEngines(identity, keyLimitBytes);
    }
  },
  JDK {
    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
        throws GeneralSecurityException {
      return new JdkEngines(identity, random);
    }
  };

  private static final Logger LOG = Logger.getLogger(TlsLibrary.class.getName());

  /** Whether this machine offers it. */
  public boolean available() {
    return true;
  }

  /**
   * @param keyLimitBytes how much one key may seal where the library does not change keys itself
   */
  abstract TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
      throws GeneralSecurityException;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
