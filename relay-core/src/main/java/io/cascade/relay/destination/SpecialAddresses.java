package io.cascade.relay.destination;

import io.cascade.api.AddressBlock;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Addresses that are not of the public Internet: those of the machine itself, its link, a cloud's
 * services on it, and private networks (registry: RFC 6890).
 */
final class SpecialAddresses {
  private static final String LOOPBACK = "a loopback address";

  /** A block within another one precedes it. */
  private static final List<Special> BLOCKS =
      List.of(
          surroundings("100.100.100.200/32", "a cloud's metadata address"),
          surroundings("168.63.129.16/32", "a cloud's metadata address"),
          surroundings("192.0.0.192/32", "a cloud's metadata address"),
          surroundings("fd00:ec2::/32", "a cloud's metadata address"),
          surroundings("fd20:ce::254/128", "a cloud's metadata address"),
          surroundings("169.254.169.254/32", "a cloud's metadata address"),
          surroundings("0.0.0.0/8", "an unspecified address (RFC 1122)"),
          new Special(AddressBlock.parse("127.0.0.0/8"), Scope.LOOPBACK, LOOPBACK),
          surroundings("169.254.0.0/16", "a link-local address (RFC 3927)"),
          surroundings("224.0.0.0/4", "a multicast address (RFC 5771)"),
          surroundings("240.0.0.0/4", "a reserved or broadcast address (RFC 1112)"),
          surroundings("::/128", "an unspecified address (RFC 4291)"),
          new Special(AddressBlock.parse("::1/128"), Scope.LOOPBACK, LOOPBACK),
          surroundings("fe80::/10", "a link-local address (RFC 4291)"),
          surroundings("ff00::/8", "a multicast address (RFC 4291)"),
          privateNetwork("10.0.0.0/8", "a private address (RFC 1918)"),
          privateNetwork("172.16.0.0/12", "a private address (RFC 1918)"),
          privateNetwork("192.168.0.0/16", "a private address (RFC 1918)"),
          privateNetwork("100.64.0.0/10", "a shared address (RFC 6598)"),
          privateNetwork("fc00::/7", "a unique local address (RFC 4193)"),
          privateNetwork("fec0::/10", "a site-local address (RFC 3879)"),
          privateNetwork("64:ff9b:1::/48", "a local NAT64 address (RFC 8215)"));

  /** The kind of network that an address belongs to. */
  enum Scope {
    /** The relay's own machine. */
    LOOPBACK,
    /** Addresses that only the relay's own machine should reach. */
    SURROUNDINGS,
    /** A network that is not the public Internet. */
    PRIVATE
  }

  /**
   * A block of such addresses.
   *
   * @param words description of its addresses, for messages
   */
  record Special(AddressBlock block, Scope scope, String words) {}

  private SpecialAddresses() {}

  /**
   * Returns the block of an address, or of the IPv4 address that it embeds; empty if it is public.
   */
  static Optional<Special> of(InetAddress address) {
    Optional<Special> found = containing(address);
    return found.isPresent() ? found : containing(EmbeddedIpv4.unwrap(address));
  }

  private static Optional<Special> containing(InetAddress address) {
    return BLOCKS.stream().filter(special -> special.block().contains(address)).findFirst();
  }

  private static Special surroundings(String block, String words) {
    return new Special(AddressBlock.parse(block), Scope.SURROUNDINGS, words);
  }

  private static Special privateNetwork(String block, String words) {
    return new Special(AddressBlock.parse(block), Scope.PRIVATE, words);
  }
}
