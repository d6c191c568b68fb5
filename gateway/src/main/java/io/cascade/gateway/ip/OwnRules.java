package io.cascade.gateway.ip;

import io.cascade.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of the kernel that a process calls its own: those of its preference that lead to one of
 * its routing tables. Others on the same host have other preferences.
 *
 * @param preference of the rules
 * @param firstTable first of the tables
 * @param lastTable last of the tables
 */
public record OwnRules(int preference, int firstTable, int lastTable) {
  private static final Pattern RULE = Pattern.compile("([0-9]+):.*\\blookup ([0-9]+).*");
  private static final Pattern DEVICE = Pattern.compile(".*\\bdev (\\S+).*");

  /**
   * Looks whether a table leads to another device than that of a process that begins. What leads to
   * a TUN device is gone with it, so that somebody who runs uses the table.
   *
   * @throws CommandException where it does
   */
  public static void checkFree(int table, String device) {
    for (String version : List.of("-4", "-6")) {
      List<String> arguments =
          List.of(version, "-N", "route", "show", "table", String.valueOf(table));
      for (String each : IpCommand.show(arguments)) {
        Matcher route = DEVICE.matcher(each);
        if (route.matches() && !route.group(1).equals(device)) {
          throw new CommandException(
              "the routing table %d leads to %s, of another one that runs: choose another --table"
                  .formatted(table, route.group(1)));
        }
      }
    }
  }

  /**
   * Removes all of them and the routes to which they lead, of IPv4 and IPv6: also those that a
   * process that was killed has left, whatever its options were.
   */
  public void remove() {
    IpCommand.tryAll(removal(IpCommand.show(List.of("-4", "-N", "rule", "show"))));
    IpCommand.tryAllV6(removal(IpCommand.show(List.of("-6", "-N", "rule", "show"))));
  }

  /**
   * Lines of ip that remove them.
   *
   * @param shown all rules, as ip shows them
   */
  List<String> removal(List<String> shown) {
    List<String> lines = new ArrayList<>();
    Set<Long> tables = new TreeSet<>(Set.of((long) firstTable));
    for (String each : shown) {
      Matcher rule = RULE.matcher(each);
      if (rule.matches() && Long.parseLong(rule.group(1)) == preference) {
        long table = Long.parseLong(rule.group(2));
        if (table >= firstTable && table <= lastTable) {
          // The first one that is like this: as many lines as there are rules.
          lines.add("rule del pref %d lookup %d".formatted(preference, table));
          tables.add(table);
        }
      }
    }
    tables.forEach(table -> lines.add("route flush table " + table));
    return lines;
  }
}
