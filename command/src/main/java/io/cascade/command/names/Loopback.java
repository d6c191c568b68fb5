package io.cascade.command.names;

import java.net.InetAddress;

/** Tells hosts that are this machine from others. */
public final class Loopback {
  private Loopback() {}

  /**
   * Whether a host is this machine wherever it is looked up: {@code localhost} or an address of
   * loopback. Any other name leads where its owner says.
   *
   * @param host a name or an address, also in the brackets that IPv6 has in a URI
   */
  public static boolean isHost(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false; // a name
    }
  }
}
