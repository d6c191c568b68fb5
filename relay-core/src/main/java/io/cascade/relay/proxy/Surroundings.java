package io.cascade.relay.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Addresses that mean the machine itself, its own network segment, or the services that a cloud
 * offers its machines there. Whoever asks a proxy for one of them wants what only the proxy's own
 * host should reach.
 */
final class Surroundings {
  private static final List<AddressBlock> BLOCKS =
      Stream.of(
              "0.0.0.0/8", // this host on this network (RFC 791)
              "127.0.0.0/8", // loopback (RFC 1122)
              "169.254.0.0/16", // link-local (RFC 3927), where most clouds' metadata is
              "100.100.100.200/32", // metadata
              "168.63.129.16/32", // metadata
              "192.0.0.192/32", // metadata
              "224.0.0.0/4", // multicast (RFC 5771)
              "240.0.0.0/4", // reserved (RFC 1112), broadcast among them
              "::/128", // unspecified (RFC 4291)
              "::1/128", // loopback
              "fe80::/10", // link-local
              "ff00::/8", // multicast
              "fd00:ec2::/32", // metadata
              "fd20:ce::254/128") // metadata
          .map(AddressBlock::parse)
          .toList();

  private static final List<Wrapping> WRAPPINGS =
      List.of(
          new Wrapping(AddressBlock.parse("::/96"), 12), // IPv4-compatible (RFC 4291)
          new Wrapping(AddressBlock.parse("64:ff9b::/96"), 12), // NAT64 (RFC 6052)
          new Wrapping(AddressBlock.parse("2002::/16"), 2)); // 6to4 (RFC 3056)

  /** IPv6 addresses that a router turns into the IPv4 address inside, and where that begins. */
  private record Wrapping(AddressBlock block, int offset) {
    InetAddress unwrap(InetAddress address) {
      try {
        return InetAddress.getByAddress(
            Arrays.copyOfRange(address.getAddress(), offset, offset + 4));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e); // four bytes are always an address
      }
    }
  }

  private Surroundings() {}

  /** The block that an address belongs to, where it is one of these. */
  static Optional<AddressBlock> of(InetAddress address) {
    Optional<AddressBlock> found =
        BLOCKS.stream().filter(block -> block.contains(address)).findFirst();
    if (found.isPresent()) {
      return found;
    }
    for (Wrapping wrapping : WRAPPINGS) {
      if (wrapping.block.contains(address)) {
        InetAddress inside = wrapping.unwrap(address);
        return BLOCKS.stream().filter(block -> block.contains(inside)).findFirst();
      }
    }
    return Optional.empty();
  }
}
