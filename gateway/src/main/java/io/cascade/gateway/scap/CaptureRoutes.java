package io.cascade.gateway.scap;

import io.cascade.gateway.ip.OwnRules;
import io.cascade.packets.pipes.Pipes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's routes that lead packets into the splitter/combiner and out of it, as lines of ip.
 * Packets that arrive by the near device for the far side are routed to one TUN device; packets
 * that arrive by a bare pipe's device from the far side are routed to another one for that pipe.
 * Packets sent by a pipe's device use that pipe's next hop. In a chain, pipes replace the near
 * device, with source and destination exchanged.
 *
 * <p>Each is a rule to a table with one route. When the TUN devices are removed, for whatever
 * reason, their routes vanish with them, and the kernel forwards by its own routes again.
 *
 * @param name prefix of the TUN devices' names, at most 8 characters
 * @param near device towards the hosts on this side; null where pipes replace it
 * @param table first of the routing tables, and preference of the rules
 */
record CaptureRoutes(
    String name,
    @Nullable String near,
    List<String> far,
    List<PipeSpec> nearPipes,
    List<PipeSpec> farPipes,
    int table) {

  CaptureRoutes {
    far = List.copyOf(far);
    nearPipes = List.copyOf(nearPipes);
    farPipes = List.copyOf(farPipes);
  }

  /** The TUN device for packets from the near side. */
  String nearDevice() {
    return name + "-near";
  }

  /** The TUN device for packets that arrive by a bare pipe of the near side. */
  String nearPipeDevice(int pipe) {
    return name + "-near" + pipe;
  }

  /** The TUN device for packets that arrive by a bare pipe of the far side. */
  String farPipeDevice(int pipe) {
    return name + "-pipe" + pipe;
  }

  /**
   * @param nearMtu of the near device, and of all packets from the pipes
   * @param leastMtu of the pipes: the kernel rejects larger packets for them
   */
  List<String> setUp(int nearMtu, int leastMtu) {
    List<String> lines = new ArrayList<>();
    if (near != null) {
      lines.add("link set %s mtu %d up".formatted(nearDevice(), leastMtu));
      lines.add(route(nearDevice(), null, table));
    }
    for (int i = 0; i < nearPipes.size(); i++) {
      lines.addAll(
          pipe(nearPipes.get(i), nearPipeDevice(i), inTable(true, i), outTable(true, i), nearMtu));
    }
    for (int i = 0; i < farPipes.size(); i++) {
      lines.addAll(
          pipe(farPipes.get(i), farPipeDevice(i), inTable(false, i), outTable(false, i), nearMtu));
    }
    rules().forEach(rule -> lines.add("rule add " + rule));
    return lines;
  }

  private static List<String> pipe(
      PipeSpec pipe, String capture, int inTable, int outTable, int mtu) {
    List<String> lines = new ArrayList<>();
    if (pipe.peer() == null) {
      lines.add("link set %s mtu %d up".formatted(capture, mtu));
      lines.add(route(capture, null, inTable));
    }
    lines.addAll(way(pipe, outTable));
    return lines;
  }

  /**
   * The pipe's own route, if it has one; the kernel removes it when the pipe's device goes down.
   */
  List<String> way(boolean ofNear, int pipe) {
    return way((ofNear ? nearPipes : farPipes).get(pipe), outTable(ofNear, pipe));
  }

  private static List<String> way(PipeSpec pipe, int outTable) {
    return pipe.hasRoute() ? List.of(route(pipe.device(), pipe.via(), outTable)) : List.of();
  }

  /**
   * @throws io.cascade.command.CommandException where another process uses one of the tables
   */
  void checkFree() {
    if (near != null) {
      OwnRules.checkFree(table, nearDevice());
    }
    for (int i = 0; i < nearPipes.size(); i++) {
      OwnRules.checkFree(inTable(true, i), nearPipeDevice(i));
    }
    for (int i = 0; i < farPipes.size(); i++) {
      OwnRules.checkFree(inTable(false, i), farPipeDevice(i));
    }
  }

  /**
   * Removes all rules and routes to and from the devices, including those that a killed process
   * left.
   */
  void tearDown() {
    own().remove();
  }

  OwnRules own() {
    return new OwnRules(table, table, outTable(true, Pipes.MOST - 1));
  }

  private List<String> rules() {
    List<String> rules = new ArrayList<>();
    for (String prefix : far) {
      if (near != null) {
        rules.add(rule("iif %s to %s".formatted(near, prefix), table));
      }
      for (int i = 0; i < nearPipes.size(); i++) {
        PipeSpec pipe = nearPipes.get(i);
        if (pipe.peer() == null) {
          String device = pipe.device();
          rules.add(rule("iif %s to %s".formatted(device, prefix), inTable(true, i)));
          rules.add(rule("oif %s from %s".formatted(device, prefix), outTable(true, i)));
        }
      }
      for (int i = 0; i < farPipes.size(); i++) {
        PipeSpec pipe = farPipes.get(i);
        if (pipe.peer() == null) {
          String device = pipe.device();
          rules.add(rule("iif %s from %s".formatted(device, prefix), inTable(false, i)));
          rules.add(rule("oif %s to %s".formatted(device, prefix), outTable(false, i)));
        }
      }
    }
    for (int i = 0; i < nearPipes.size(); i++) {
      toPeer(nearPipes.get(i), outTable(true, i), rules);
    }
    for (int i = 0; i < farPipes.size(); i++) {
      toPeer(farPipes.get(i), outTable(false, i), rules);
    }
    return rules;
  }

  private void toPeer(PipeSpec pipe, int outTable, List<String> rules) {
    if (pipe.peer() != null && pipe.via() != null) {
      String peer = pipe.peer().getAddress().getHostAddress();
      rules.add(rule("oif %s to %s".formatted(pipe.device(), peer), outTable));
    }
  }

  private String rule(String what, int lookup) {
    return "pref %d %s lookup %d".formatted(table, what, lookup);
  }

  private static String route(String device, @Nullable String via, int table) {
    return via == null
        ? "route replace default dev %s table %d".formatted(device, table)
        : "route replace default via %s dev %s onlink table %d".formatted(via, device, table);
  }

  private int inTable(boolean ofNear, int pipe) {
    return table + 1 + 2 * (pipe + (ofNear ? Pipes.MOST : 0));
  }

  private int outTable(boolean ofNear, int pipe) {
    return inTable(ofNear, pipe) + 1;
  }
}
