package io.cascade.command.names;

import java.net.InetAddress;

/** Distinguishes hosts that are this machine from others. */
public final class Loopback {
  private Loopback() {}

  /**
   * Whether a host is this machine wherever it is resolved: {@code localhost} or a loopback
   * address. Any other name resolves to what its owner configures.
   *
   * @param host a name or an address, also in the brackets of an IPv6 address in a URI
   */
  public static boolean isHost(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false; // A name.
    }
  }
}
