package io.cascade.gateway.ip;

import io.cascade.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The routing rules that a process owns: those of its preference that point to one of its routing
 * tables. Other processes on the host use other preferences.
 *
 * @param preference of the rules
 * @param firstTable first of the tables
 * @param lastTable last of the tables
 */
public record OwnRules(int preference, int firstTable, int lastTable) {
  private static final Pattern RULE = Pattern.compile("([0-9]+):.*\\blookup ([0-9]+).*");
  private static final Pattern DEVICE = Pattern.compile(".*\\bdev (\\S+).*");

  /**
   * Checks that a table has no route to a device other than that of the starting process. Routes to
   * a TUN device vanish with it, so that such a route shows a running process that uses the table.
   *
   * @throws CommandException where it has one
   */
  public static void checkFree(int table, String device) {
    for (String version : List.of("-4", "-6")) {
      List<String> arguments =
          List.of(version, "-N", "route", "show", "table", String.valueOf(table));
      for (String each : IpCommand.show(arguments)) {
        Matcher route = DEVICE.matcher(each);
        if (route.matches() && !route.group(1).equals(device)) {
          throw new CommandException(
              ("the routing table %d leads to %s, the device of another running process; fix:"
                      + " choose another --table")
                  .formatted(table, route.group(1)));
        }
      }
    }
  }

  /**
   * Removes all of these rules and their routes, of IPv4 and IPv6, including those that a killed
   * process has left, whatever its options were.
   */
  public void remove() {
    IpCommand.tryAll(removal(IpCommand.show(List.of("-4", "-N", "rule", "show"))));
    IpCommand.tryAllV6(removal(IpCommand.show(List.of("-6", "-N", "rule", "show"))));
  }

  /**
   * Lines of ip that remove the rules.
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
          // Each line deletes the first matching rule: as many lines as there are rules.
          lines.add("rule del pref %d lookup %d".formatted(preference, table));
          tables.add(table);
        }
      }
    }
    tables.forEach(table -> lines.add("route flush table " + table));
    return lines;
  }
}
