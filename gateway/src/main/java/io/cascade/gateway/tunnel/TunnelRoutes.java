package io.cascade.gateway.tunnel;

import io.cascade.gateway.ip.IpCommand;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.util.ArrayList;
import java.util.List;

/**
 * What leads packets to a TUN device: a rule for each prefix to a table with one route. When the
 * device is gone, however that came about, the route is gone with it.
 *
 * @param table routing table, and preference of the rules
 */
record TunnelRoutes(
    String tun, int mtu, List<IpAddress> addresses, List<IpPrefix> prefixes, int table) {
  /**
   * Makes it all.
   *
   * @throws io.cascade.command.Complaint with what ip said
   */
  void setUp() {
    IpCommand.run(lines(IpAddress.V4_BITS, "link set %s mtu %d up".formatted(tun, mtu)));
    if (hasV6()) {
      IpCommand.runV6(lines(IpAddress.V6_BITS, "link set %s up".formatted(tun)));
    }
  }

  /** Removes what is left when the device is gone. */
  void tearDown() {
    IpCommand.tryAll(rules("del", IpAddress.V4_BITS));
    if (hasV6()) {
      IpCommand.tryAllV6(rules("del", IpAddress.V6_BITS));
    }
  }

  private boolean hasV6() {
    return addresses.stream().anyMatch(address -> address.bits() == IpAddress.V6_BITS)
        || prefixes.stream().anyMatch(prefix -> prefix.address().bits() == IpAddress.V6_BITS);
  }

  /** Commands for addresses of one IP version. */
  List<String> lines(int bits, String first) {
    List<String> lines = new ArrayList<>(List.of(first));
    for (IpAddress address : addresses) {
      if (address.bits() == bits) {
        lines.add("address replace %s/%d dev %s".formatted(address, bits, tun));
      }
    }
    List<String> rules = rules("add", bits);
    if (!rules.isEmpty()) {
      lines.add("route replace default dev %s table %d".formatted(tun, table));
      lines.addAll(rules);
    }
    return lines;
  }

  private List<String> rules(String what, int bits) {
    return prefixes.stream()
        .filter(prefix -> prefix.address().bits() == bits)
        .map(prefix -> "rule %s pref %d to %s lookup %d".formatted(what, table, prefix, table))
        .toList();
  }
}
