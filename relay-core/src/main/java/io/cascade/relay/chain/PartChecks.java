package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.carriage.tls.Fingerprint;
import io.cascade.relay.hop.HopKey;

/** Checks of a part's hops that need only the part and the relay's settings. */
final class PartChecks {
  private PartChecks() {}

  /**
   * Checks the part's hops against what the relay allows.
   *
   * @return whether any hop is encrypted
   * @throws PartRefused with {@link PartRefused.Kind#UNSUPPORTED}
   */
  static boolean checkSecurity(ChainPart part, ChainSettings settings) throws PartRefused {
    boolean anyTls = false;
    boolean anyPlain = false;
    for (PartInlet each : part.inlets()) {
      var inlet = each.relay();
      if (inlet != null) {
        anyTls |= inlet.certificateSha256() != null;
        anyPlain |= inlet.certificateSha256() == null;
      }
    }
    for (PartOutlet each : part.outlets()) {
      var outlet = each.relay();
      if (outlet != null) {
        anyTls |= outlet.certificateSha256() != null;
        anyPlain |= outlet.certificateSha256() == null;
      }
    }
    if (anyTls && !settings.tlsAllowed()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "this relay has no TLS; fix: start it without --hop-security plain");
    }
    if (anyPlain && !settings.plainAllowed()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "this relay takes encrypted hops only; fix: open the chain with security TLS, or start"
              + " the relay with --hop-security optional");
    }
    return anyTls;
  }

  /** Reads a certificate's fingerprint. */
  static Fingerprint fingerprint(String sha256) throws PartRefused {
    try {
      return new Fingerprint(sha256);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  /** Reads the key of coded sessions of a chain's client. */
  static byte[] codedKey(String base64) throws PartRefused {
    try {
      return HopKey.decode(base64);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  /** Reads a hop's key. */
  static HopKey key(String base64) throws PartRefused {
    try {
      return HopKey.parse(base64);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  private static PartRefused invalid(String message) {
    return new PartRefused(PartRefused.Kind.INVALID, message);
  }
}
