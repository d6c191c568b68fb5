package io.cascade.studies.multipath;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives the source an address for each path, whose packets take that path in both directions, and
 * tells the kernel's Multipath TCP of them. The connection itself begins over the first path.
 */
final class MptcpPaths {
  private static final int TABLE = 700;

  private MptcpPaths() {}

  static void sysctl(String name, String value) throws IOException {
    Files.writeString(Path.of("/proc/sys/net", name), value);
  }

  /**
   * @param sites in the middle of the paths
   * @param numbers of the addresses, each other than the others'
   */
  static void prepare(Lab lab, List<String> sites, List<Integer> numbers) throws Exception {
    Site source = lab.site("source");
    Site far = lab.site("far");
    for (Site end : List.of(source, far)) {
      end.call(() -> {
        sysctl("mptcp/enabled", "1");
        return true;
      });
      run(end, "ip", "mptcp", "limits", "set", "subflows", "8", "add_addr_accepted", "8");
    }
    run(source, "ip", "mptcp", "endpoint", "flush");
    for (int i = 0; i < sites.size(); i++) {
      Site middle = lab.site(sites.get(i));
      String address = "10.78.0." + numbers.get(i);
      String table = Integer.toString(TABLE + i);
      // A path's site answers the source's own address over the first path otherwise.
      run(source, "ip", "address", "replace", address + "/32", "dev", "lo");
      run(
          source,
          "ip",
          "route",
          "replace",
          far.address() + "/32",
          "via",
          middle.address(),
          "dev",
          "to-" + sites.get(i),
          "onlink",
          "table",
          table);
      ignore(source, "ip", "rule", "del", "from", address, "table", table);
      run(source, "ip", "rule", "add", "from", address, "table", table);
      run(
          middle,
          "ip",
          "route",
          "replace",
          address + "/32",
          "via",
          source.address(),
          "dev",
          "to-source",
          "onlink");
      run(
          far,
          "ip",
          "route",
          "replace",
          address + "/32",
          "via",
          middle.address(),
          "dev",
          "to-" + sites.get(i),
          "onlink");
      if (i > 0) {
        run(source, "ip", "mptcp", "endpoint", "add", address, "subflow");
      }
    }
    // The connection begins from the address of the first path.
    run(
        source,
        "ip",
        "route",
        "replace",
        far.address() + "/32",
        "via",
        lab.site(sites.getFirst()).address(),
        "dev",
        "to-" + sites.getFirst(),
        "onlink",
        "src",
        "10.78.0." + numbers.getFirst());
  }

  private static void run(Site site, String... command) {
    Site.Ran ran = site.run(command);
    if (ran.exitCode() != 0) {
      throw new CommandException(
          String.join(" ", command) + " at " + site.name() + ": " + ran.err());
    }
  }

  private static void ignore(Site site, String... command) {
    Site.Ran _ = site.run(command);
  }
}
