package io.cascade.relay.proxy;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that begin alike, as CIDR (RFC 4632) writes them. An IPv4 address that stands inside an
 * IPv6 one is itself: {@code ::ffff:127.0.0.1} is {@code 127.0.0.1}.
 *
 * @param prefixBits how many leading bits count
 */
record AddressBlock(InetAddress network, int prefixBits) {
  AddressBlock {
    int most = network.getAddress().length * 8;
    if (prefixBits < 0 || prefixBits > most) {
      throw new IllegalArgumentException(
          network.getHostAddress() + "/" + prefixBits + " (expected: /0 to /" + most + ")");
    }
  }

  /**
   * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or an address that stands for itself.
   *
   * @throws IllegalArgumentException when it is none
   */
  static AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    InetAddress network = literal(address);
    if (network == null) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: addresses such as 10.0.0.0/8 or 2001:db8::/32)");
    }
    int most = network.getAddress().length * 8;
    try {
      return new AddressBlock(
          network, slash < 0 ? most : Integer.parseInt(text.substring(slash + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: a number of bits after the slash)", e);
    }
  }

  /** An address as text, or null for a name. */
  static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < prefixBits; bit++) {
      int mask = 0x80 >> (bit % 8);
      if (((mine[bit / 8] ^ other[bit / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether every address of {@code other} is one of these. */
  boolean covers(AddressBlock other) {
    return other.prefixBits >= prefixBits && contains(other.network);
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + prefixBits;
  }
}
