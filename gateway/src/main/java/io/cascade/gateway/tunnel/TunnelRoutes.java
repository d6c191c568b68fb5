package io.cascade.gateway.tunnel;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.gateway.ip.OwnRules;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Routes to a TUN device: for each prefix a rule to a table, and a route there. When the device is
 * removed, for whatever reason, its routes vanish with it.
 *
 * @param local prefixes within those that stay with the kernel's other routes
 * @param table routing table, and preference of the rules
 */
record TunnelRoutes(
    String tun,
    int mtu,
    List<IpAddress> addresses,
    List<IpPrefix> prefixes,
    List<IpPrefix> local,
    int table) {
  private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4/conf");

  /**
   * @throws io.cascade.command.CommandException where another gateway uses the table
   */
  void checkFree() {
    OwnRules.checkFree(table, tun);
  }

  /**
   * Creates all rules and routes.
   *
   * @throws io.cascade.command.CommandException with the message of ip
   */
  void setUp() {
    IpCommand.run(lines(IpAddress.V4_BITS, "link set %s mtu %d up".formatted(tun, mtu)));
    takeAnswers();
    if (hasV6()) {
      IpCommand.runV6(lines(IpAddress.V6_BITS, "link set %s up".formatted(tun)));
    }
  }

  /**
   * Enables the kernel to accept answers: the gateway answers with ICMP from its own addresses,
   * which are the kernel's, too, and without this setting the kernel drops such packets as forged.
   * Packets that arrive by links have been checked.
   */
  private void takeAnswers() {
    try {
      Files.writeString(SETTINGS.resolve(tun).resolve("accept_local"), "1");
    } catch (IOException e) {
      throw new CommandException("cannot set accept_local of " + tun + ": " + e.getMessage(), e);
    }
  }

  /**
   * Routes other prefixes to the device from now on.
   *
   * @param before those that were routed there besides {@link #prefixes}
   * @param after those that are to be
   * @throws io.cascade.command.CommandException with the message of ip
   */
  void change(List<IpPrefix> before, List<IpPrefix> after) {
    for (int bits : List.of(IpAddress.V4_BITS, IpAddress.V6_BITS)) {
      // The kernel rejects a duplicate rule, and a change that failed half-way has left some.
      List<String> gone = new ArrayList<>(ends(bits, without(before, after)));
      gone.addAll(ends(bits, without(after, before)));
      List<String> added = begins(bits, without(after, before));
      boolean isV4 = bits == IpAddress.V4_BITS;
      if (!gone.isEmpty() && isV4) {
        IpCommand.tryAll(gone);
      } else if (!gone.isEmpty()) {
        IpCommand.tryAllV6(gone);
      }
      if (!added.isEmpty() && isV4) {
        IpCommand.run(added);
      } else if (!added.isEmpty()) {
        IpCommand.runV6(added);
      }
    }
  }

  private static List<IpPrefix> without(List<IpPrefix> all, List<IpPrefix> others) {
    return all.stream().filter(prefix -> !others.contains(prefix)).toList();
  }

  /** Removes all rules and routes to the device, including those that a killed process has left. */
  void tearDown() {
    new OwnRules(table, table, table).remove();
  }

  private boolean hasV6() {
    return addresses.stream().anyMatch(address -> address.bits() == IpAddress.V6_BITS)
        || !of(IpAddress.V6_BITS, prefixes).isEmpty()
        || !of(IpAddress.V6_BITS, local).isEmpty();
  }

  /** Commands for addresses of one IP version. */
  List<String> lines(int bits, String first) {
    List<String> lines = new ArrayList<>(List.of(first));
    for (IpAddress address : addresses) {
      if (address.bits() == bits) {
        lines.add("address replace %s/%d dev %s".formatted(address, bits, tun));
      }
    }
    for (IpPrefix prefix : of(bits, local)) {
      lines.add("route replace throw %s table %d".formatted(prefix, table));
    }
    lines.addAll(begins(bits, prefixes));
    return lines;
  }

  private List<String> begins(int bits, List<IpPrefix> of) {
    List<String> lines = new ArrayList<>();
    for (IpPrefix prefix : of(bits, of)) {
      lines.add("route replace %s dev %s table %d".formatted(prefix, tun, table));
      destinations(prefix)
          .forEach(to -> lines.add("rule add pref %d to %s lookup %d".formatted(table, to, table)));
    }
    return lines;
  }

  private List<String> ends(int bits, List<IpPrefix> of) {
    List<String> lines = new ArrayList<>();
    for (IpPrefix prefix : of(bits, of)) {
      destinations(prefix)
          .forEach(to -> lines.add("rule del pref %d to %s lookup %d".formatted(table, to, table)));
      lines.add("route del %s dev %s table %d".formatted(prefix, tun, table));
    }
    return lines;
  }

  /**
   * Destinations of a prefix's rules. The kernel does not compare destinations if one has length
   * zero: it would take a rule for all addresses for an existing one of the same preference,
   * whatever its destination, and remove any of that preference in its place.
   */
  private static List<String> destinations(IpPrefix prefix) {
    if (prefix.length() > 0) {
      return List.of(prefix.toString());
    }
    return prefix.address().bits() == IpAddress.V4_BITS
        ? List.of("0.0.0.0/1", "128.0.0.0/1")
        : List.of("::/1", "8000::/1");
  }

  private static List<IpPrefix> of(int bits, List<IpPrefix> all) {
    return all.stream()
        .filter(prefix -> prefix.address().bits() == bits)
        .map(IpPrefix::network)
        .toList();
  }
}
