package io.cascade.lab;

import io.cascade.client.terminal.Table;
import io.cascade.command.CommandException;
import io.cascade.lab.LabState.PartState;
import io.cascade.lab.LabState.SiteState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = "Bring up a topology. It stays until: cascade lab down")
final class LabUpVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "FILE|NAME",
      description = {
        "A topology file (docs/how/testbed.md), or a shipped topology:",
        "wan, a long path with two relays on it;",
        "satellite, 560 ms with losses between two relays;",
        "two-paths, two paths that share no link, with a relay on each."
      })
  private Path file;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "Name the lab, if several are up (default: the file's name for it).")
  private @Nullable String name;

  @Option(
      names = "--netem",
      description = "Use the kernel's own netem for the links; fails without it.")
  private boolean netem;

  @Override
  public Integer call() {
    Topology topology = topology();
    PrintWriter out = spec.commandLine().getOut();
    long began = System.nanoTime();
    Lab lab = Lab.up(topology, netem ? LinkKind.NETEM : LinkKind.USER_SPACE);
    Table sites = new Table("SITE", "ADDRESS", "CONGESTION CONTROL", "RUNS");
    for (SiteState site : lab.state().sites()) {
      sites.row(
          site.name(),
          site.address(),
          topology.site(site.name()).congestionControl(),
          String.join(
              ", ",
              lab.state().parts().stream()
                  .filter(part -> part.site().equals(site.name()))
                  .map(PartState::name)
                  .toList()));
    }
    sites.print(out);
    out.println();
    LabStatusVerb.printLinks(lab, out);
    out.printf(
        "%nlab %s is up after %.1f s, process %d, files in %s%n",
        lab.name(), (System.nanoTime() - began) / 1e9, lab.state().hostPid(), lab.folder());
    lab.orchestrator().ifPresent(url -> out.println("orchestrator at " + url + " from every site"));
    lab.dashboard()
        .ifPresent(url ->
            out.println("dashboard at " + url + "/ui/ on this machine, token " + lab.token()));
    if (!lab.realTime()) {
      out.println("links share the processor with everything else: delays suffer when it is busy");
    }
    out.println("next: cascade lab exec " + topology.sites().getFirst().name() + " COMMAND");
    out.flush();
    return 0;
  }

  private Topology topology() {
    try {
      Topology topology =
          Files.exists(file)
              ? TopologyFile.read(file)
              : ShippedTopologies.named(file.toString())
                  .orElseThrow(() ->
                      new CommandException(
                          "no such file, nor a shipped topology: %s (expected: %s)"
                              .formatted(file, String.join(", ", ShippedTopologies.NAMES))));
      return name == null ? topology : topology.named(name);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
