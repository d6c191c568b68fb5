package io.cascade.testbed.reproduce;

import io.cascade.command.Complaint;
import io.cascade.testbed.experiment.Experiment;
import io.cascade.testbed.experiment.ExperimentFile;
import io.cascade.testbed.report.Campaign;
import io.cascade.testbed.report.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "fairness",
    mixinStandardHelpOptions = true,
    description = {
      "What a relay's hop with Reno, CUBIC or BBR takes from one other connection on the same"
          + " bottleneck, and what the hop gains by it.",
      "Measures for about a quarter of an hour, over emulated paths and with real relays, and"
          + " writes a page. What was measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce fairness --out /tmp/fairness"
    })
final class ReproduceFairnessVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Emulated paths at the same time. Default: four for each processor.")
  private @Nullable Integer parallel;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Of each cell, instead of the file's.")
  private @Nullable Integer repetitions;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  @Override
  public Integer call() throws InterruptedException {
    Path folder = out == null ? ReproduceVerb.usualFolder() : out;
    ExperimentFile.Wish wish =
        new ExperimentFile.Wish(
            repetitions == null ? OptionalInt.empty() : OptionalInt.of(repetitions),
            OptionalDouble.empty());
    Experiment experiment =
        ExperimentFile.read(ReproduceVerb.experiments().resolve("fairness.yaml"), wish);
    ReportFolder report = new ReportFolder(folder);
    Campaign campaign =
        new Campaign(
            List.of(experiment), report, parallel == null ? Campaign.usualParallel() : parallel);
    try {
      boolean complete = reportOnly || campaign.measure(spec.commandLine().getErr());
      report.writeFairness(experiment);
      PrintWriter print = spec.commandLine().getOut();
      print.println("written: " + folder.resolve(experiment.name() + ".md"));
      print.flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw new Complaint(
          folder + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
    }
  }
}
