package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import java.util.Locale;

/**
 * Filter of UDP on a path, installed in the packet filter of every host at its ends on input, so
 * that a sender gets no error from its own host.
 */
final class UdpFilter {
  private static final double BITS_PER_KILOBYTE = 8 * 1_024;

  /** Burst that the policer admits, as a time at its rate. */
  private static final double BURST_SECONDS = 0.05;

  private static final long LEAST_BURST_KILOBYTES = 64;

  private UdpFilter() {}

  /**
   * @throws CommandException if the machine has no nft, or the kernel lacks support for its rules
   */
  static void install(Lab lab, RivalPath path) {
    String rule = rule(path);
    if (rule.isEmpty()) {
      return;
    }
    install(lab.site(RivalPath.CLIENT), rule);
    path.hops().forEach(hop -> install(lab.site(hop.to()), rule));
  }

  private static void install(Site site, String rule) {
    Site.Ran ran =
        site.run(
            "nft",
            "add table inet datagrams;"
                + " add chain inet datagrams in { type filter hook input priority 0; };"
                + " add rule inet datagrams in iifname != \"lo\" meta l4proto udp "
                + rule);
    if (ran.exitCode() != 0) {
      throw new CommandException("nft: " + ran.err().strip());
    }
  }

  /** The filter's rule for UDP; empty if all UDP may pass. */
  static String rule(RivalPath path) {
    return switch (path.udp()) {
      case FREE -> "";
      case BLOCKED -> "drop";
      case POLICED -> {
        double kilobytes = path.udpMegabits() * 1e6 / BITS_PER_KILOBYTE;
        yield String.format(
            Locale.ROOT,
            "limit rate over %d kbytes/second burst %d kbytes drop",
            Math.max(1, Math.round(kilobytes)),
            Math.max(LEAST_BURST_KILOBYTES, Math.round(kilobytes * BURST_SECONDS)));
      }
    };
  }
}
