package io.cascade.api;

import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Addresses with a common prefix in CIDR notation (RFC 4632). An IPv4-mapped IPv6 address is the
 * IPv4 address: {@code ::ffff:127.0.0.1} is {@code 127.0.0.1}.
 *
 * @param prefixBits length of the prefix
 */
public record AddressBlock(InetAddress network, int prefixBits) {
  public AddressBlock {
    int most = network.getAddress().length * 8;
    if (prefixBits < 0 || prefixBits > most) {
      throw new IllegalArgumentException(
          network.getHostAddress() + "/" + prefixBits + " (expected: /0 to /" + most + ")");
    }
  }

  /**
   * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or a single address.
   *
   * @throws IllegalArgumentException when the text is none of these
   */
  public static AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    InetAddress network = isWhole(address) ? literal(address) : null;
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

  /**
   * Whether all parts of the address are present: the short form 10.1 of 10.0.0.1 is not accepted.
   */
  private static boolean isWhole(String address) {
    return address.indexOf(':') >= 0 || address.chars().filter(one -> one == '.').count() == 3;
  }

  /** Reads an address; returns null if the text is a name. */
  public static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    int whole = prefixBits / 8;
    int rest = prefixBits % 8;
    return Arrays.equals(mine, 0, whole, other, 0, whole)
        && (rest == 0 || ((mine[whole] ^ other[whole]) & 0xff) >> (8 - rest) == 0);
  }

  /** Whether every address of {@code other} is in this block. */
  public boolean covers(AddressBlock other) {
    return other.prefixBits >= prefixBits && contains(other.network);
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + prefixBits;
  }
}
