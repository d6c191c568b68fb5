package io.cascade.relay.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * What shares a bound with a client: its IPv4 address, or its IPv6 network of 64 bits, which one
 * host can have to itself.
 */
public final class ClientSource {
  private static final int IPV6_NETWORK_BYTES = 8;

  private ClientSource() {}

  /** The source of a client, as a key. */
  public static Object of(InetAddress client) {
    return client instanceof Inet6Address
        ? ByteBuffer.wrap(client.getAddress(), 0, IPV6_NETWORK_BYTES)
        : client;
  }
}
