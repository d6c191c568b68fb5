package io.cascade.studies.reproduce;

import io.cascade.studies.study.PageFolder;
import io.cascade.studies.topologies.TopologiesReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "topologies",
    mixinStandardHelpOptions = true,
    description = {
      "How well relays are chosen on published measurements between cloud regions: by the least"
          + " round trip, by measured throughput, by the planner; with exact, noisy and old inputs.",
      "Computes for a few minutes and measures nothing. Prints a table, writes a page and charts.",
      "",
      "Example: cascade reproduce topologies --out /tmp/topologies"
    })
final class ReproduceTopologiesVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() {
    TopologiesReport report = TopologiesReport.compute();
    PrintWriter print = spec.commandLine().getOut();
    print.print(report.table());
    try {
      report.writeTo(folder.path());
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
    print.println("written: " + folder.path().resolve(TopologiesReport.PAGE));
    print.flush();
    return 0;
  }
}
