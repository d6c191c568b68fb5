package io.cascade.studies.multipath;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.studies.experiment.SiteSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives the source an address for each path, whose packets take that path in both directions, and
 * adds these addresses to the kernel's Multipath TCP. The connection starts over the first path.
 */
final class MptcpPaths {
  private static final int TABLE = 700;

  private MptcpPaths() {}

  /**
   * @param sites in the middle of the paths
   * @param numbers of the addresses, all different
   */
  static void prepare(Lab lab, List<String> sites, List<Integer> numbers) throws Exception {
    Site source = lab.site("source");
    Site far = lab.site("far");
    for (Site end : List.of(source, far)) {
      SiteSettings.set(end, "mptcp/enabled", "1");
      run(end, "ip", "mptcp", "limits", "set", "subflows", "8", "add_addr_accepted", "8");
    }
    run(source, "ip", "mptcp", "endpoint", "flush");
    for (int i = 0; i < sites.size(); i++) {
      Site middle = lab.site(sites.get(i));
      String address = "10.78.0." + numbers.get(i);
      String table = Integer.toString(TABLE + i);
      // Otherwise a path's site answers the source's own address over the first path.
      run(source, "ip", "address", "replace", address + "/32", "dev", "lo");
      String to = "to-" + sites.get(i);
      route(source, far.address(), middle, to, "table", table);
      var _ =
          source.run(
              "ip", "rule", "del", "from", address, "table", table); // The rule may be missing.
      run(source, "ip", "rule", "add", "from", address, "table", table);
      route(middle, address, source, "to-source");
      route(far, address, middle, to);
      if (i > 0) {
        run(source, "ip", "mptcp", "endpoint", "add", address, "subflow");
      }
    }
    // The connection starts from the address of the first path.
    Site first = lab.site(sites.getFirst());
    String own = "10.78.0." + numbers.getFirst();
    route(source, far.address(), first, "to-" + first.name(), "src", own);
  }

  private static void route(
      Site at, String destination, Site via, String device, String... options) {
    List<String> command = new ArrayList<>(List.of("ip", "route", "replace", destination + "/32"));
    command.addAll(List.of("via", via.address(), "dev", device, "onlink"));
    command.addAll(List.of(options));
    run(at, command.toArray(String[]::new));
  }

  private static void run(Site site, String... command) {
    Site.Ran ran = site.run(command);
    if (ran.exitCode() != 0) {
      throw new CommandException(
          String.join(" ", command) + " at " + site.name() + ": " + ran.err());
    }
  }
}
