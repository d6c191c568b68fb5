package io.cascade.testbed.reproduce;

import io.cascade.command.Complaint;
import io.cascade.testbed.topologies.TopologiesReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    Path folder = out == null ? ReproduceVerb.usualFolder() : out;
    TopologiesReport report = TopologiesReport.compute();
    PrintWriter print = spec.commandLine().getOut();
    print.print(report.table());
    try {
      report.writeTo(folder);
    } catch (IOException e) {
      throw new Complaint(
          folder + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
    }
    print.println("written: " + folder.resolve(TopologiesReport.PAGE));
    print.flush();
    return 0;
  }
}
