package io.cascade.gateway.scap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's routes that lead packets into the splitter/combiner and out of it, as lines of ip.
 * What arrives by the near device for the far side goes to one TUN device, what arrives by a pipe's
 * device from the far side to another one for that pipe. What is sent by a pipe's device has that
 * pipe's next hop.
 *
 * <p>Each is a rule to a table with one route. When the TUN devices are gone, however that came
 * about, their routes are gone with them, and the kernel forwards by its own routes again.
 *
 * @param name that the TUN devices begin with, at most 10 characters
 * @param table first of the routing tables, and preference of the rules
 */
record CaptureRoutes(String name, String near, List<String> far, List<PipeSpec> pipes, int table) {
  CaptureRoutes {
    far = List.copyOf(far);
    pipes = List.copyOf(pipes);
  }

  /** The TUN device with what comes from the near side. */
  String nearDevice() {
    return name + "-near";
  }

  /** The TUN device with what comes by a pipe. */
  String pipeDevice(int pipe) {
    return name + "-pipe" + pipe;
  }

  /**
   * @param nearMtu of the near device, and of all that comes from the pipes
   * @param leastMtu of the pipes' devices: what is larger, the kernel refuses for them
   */
  List<String> setUp(int nearMtu, int leastMtu) {
    List<String> lines = new ArrayList<>();
    lines.add("link set %s mtu %d up".formatted(nearDevice(), leastMtu));
    lines.add(route(nearDevice(), null, table));
    for (int i = 0; i < pipes.size(); i++) {
      lines.add("link set %s mtu %d up".formatted(pipeDevice(i), Math.max(nearMtu, leastMtu)));
      lines.add(route(pipeDevice(i), null, inTable(i)));
      lines.add(route(pipes.get(i).device(), pipes.get(i).via(), outTable(i)));
    }
    rules().forEach(rule -> lines.add("rule add " + rule));
    return lines;
  }

  /** What is left when the TUN devices are gone. */
  List<String> tearDown() {
    List<String> lines = new ArrayList<>();
    rules().forEach(rule -> lines.add("rule del " + rule));
    for (int i = 0; i < pipes.size(); i++) {
      lines.add("route flush table " + outTable(i));
    }
    return lines;
  }

  private List<String> rules() {
    List<String> rules = new ArrayList<>();
    for (String prefix : far) {
      rules.add(rule("iif %s to %s".formatted(near, prefix), table));
      for (int i = 0; i < pipes.size(); i++) {
        String device = pipes.get(i).device();
        rules.add(rule("iif %s from %s".formatted(device, prefix), inTable(i)));
        rules.add(rule("oif %s to %s".formatted(device, prefix), outTable(i)));
      }
    }
    return rules;
  }

  private String rule(String what, int lookup) {
    return "pref %d %s lookup %d".formatted(table, what, lookup);
  }

  private static String route(String device, @Nullable String via, int table) {
    return via == null
        ? "route replace default dev %s table %d".formatted(device, table)
        : "route replace default via %s dev %s onlink table %d".formatted(via, device, table);
  }

  private int inTable(int pipe) {
    return table + 1 + 2 * pipe;
  }

  private int outTable(int pipe) {
    return table + 2 + 2 * pipe;
  }
}
