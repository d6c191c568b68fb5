package io.cascade.relay.destination;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;

/** Finds the IPv4 address that a kernel, router or tunnel derives from an IPv6 address. */
final class EmbeddedIpv4 {
  private static final int IPV6_BYTES = 16;
  private static final int IPV4_BYTES = 4;

  /** Teredo writes the client's address with all bits inverted (RFC 4380, section 4). */
  private static final int INVERTED = 0xff;

  private static final List<Form> FORMS =
      List.of(
          new Form("00000000000000000000ffff", 12, 0), // mapped, ::ffff:0:0/96 (RFC 4291)
          new Form("0000000000000000ffff0000", 12, 0), // translated, ::ffff:0:0:0/96 (RFC 2765)
          new Form("000000000000000000000000", 12, 0), // compatible, ::/96 (RFC 4291)
          new Form("0064ff9b0000000000000000", 12, 0), // NAT64, 64:ff9b::/96 (RFC 6052)
          new Form("2002", 2, 0), // 6to4, 2002::/16 (RFC 3056)
          new Form("20010000", 12, INVERTED)); // Teredo, 2001::/32 (RFC 4380)

  /**
   * A form of IPv6 address that contains an IPv4 address.
   *
   * @param prefix leading octets in hexadecimal
   * @param offset of the IPv4 address, in octets
   * @param mask that each of its octets is combined with by exclusive or
   */
  private record Form(String prefix, int offset, int mask) {
    InetAddress unwrap(byte[] address) {
      byte[] inside = new byte[IPV4_BYTES];
      for (int i = 0; i < IPV4_BYTES; i++) {
        inside[i] = (byte) (address[offset + i] ^ mask);
      }
      try {
        return InetAddress.getByAddress(inside);
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e); // four bytes are always an address
      }
    }
  }

  private EmbeddedIpv4() {}

  /** Returns the embedded IPv4 address, or the address itself if it embeds none. */
  static InetAddress unwrap(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == IPV6_BYTES) {
      String octets = HexFormat.of().formatHex(bytes);
      for (Form form : FORMS) {
        if (octets.startsWith(form.prefix())) {
          return form.unwrap(bytes);
        }
      }
    }
    return address;
  }
}
