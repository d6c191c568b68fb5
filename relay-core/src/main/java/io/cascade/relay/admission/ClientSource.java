package io.cascade.relay.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The unit by which clients share a bound: an IPv4 address, or an IPv6 network of 64 bits, since
 * one host can hold a whole /64.
 */
public final class ClientSource {
  private static final int IPV6_NETWORK_BYTES = 8;

  private ClientSource() {}

  /** Returns the source of a client, as a key for maps. */
  public static Object of(InetAddress client) {
    return client instanceof Inet6Address
        ? ByteBuffer.wrap(client.getAddress(), 0, IPV6_NETWORK_BYTES)
        : client;
  }
}
