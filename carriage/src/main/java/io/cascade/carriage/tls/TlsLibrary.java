package io.cascade.carriage.tls;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The library whose TLS protects the hops. Relays that use different libraries interoperate.
 *
 * <p>BoringSSL costs less for bulk, and above all for handshakes, from the first one on; the JDK's
 * code is fast only once it was compiled.
 */
public enum TlsLibrary {
  /** BoringSSL if this machine can load it, otherwise the JDK. */
  AUTO {
    @Override
    TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
        throws GeneralSecurityException {
      if (BORINGSSL.available()) {
        try {
          return BORINGSSL.engines(identity, random, keyLimitBytes);
        } catch (GeneralSecurityException e) {
          LOG.log(Level.WARNING, "TLS by the JDK, which takes more processor time", e);
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

  /** Whether this machine supports it. */
  public boolean available() {
    return true;
  }

  /**
   * @param keyLimitBytes most bytes that one key may seal if the library does not change keys
   *     itself
   */
  abstract TlsEngines engines(RelayIdentity identity, SecureRandom random, long keyLimitBytes)
      throws GeneralSecurityException;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
