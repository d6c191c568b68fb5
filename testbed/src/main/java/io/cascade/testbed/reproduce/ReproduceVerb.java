package io.cascade.testbed.reproduce;

import io.cascade.command.Complaint;
import io.cascade.testbed.experiment.Experiment;
import io.cascade.testbed.experiment.ExperimentFile;
import io.cascade.testbed.report.Campaign;
import io.cascade.testbed.report.ReportFolder;
import io.cascade.testbed.soak.SurvivalVerb;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "The published figures, held against the model and against measurement.",
      "Measures for a few hours, over emulated paths and with real relays, and writes"
          + " pages and charts. What was measured already is not repeated. Needs Linux and root.",
      "reproduce topologies needs neither: it computes on published measurements.",
      "reproduce fairness measures what a relay's hop takes from a connection beside it.",
      "reproduce measured holds send against every fixed way, on what it measures itself."
    },
    subcommands = {
      ReproduceTopologiesVerb.class,
      ReproduceFairnessVerb.class,
      ReproduceMeasuredVerb.class,
      SurvivalVerb.class
    })
public final class ReproduceVerb implements Callable<Integer> {
  /** The pages in the order of the index. */
  private static final List<String> NAMES =
      List.of("cascaded-tcp", "connection-splitting", "beyond", "hops", "report-card");

  private static final Path EXPERIMENTS = Path.of("testbed", "experiments");
  private static final Path IN_A_CHECKOUT = Path.of("docs", "experiments");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(names = "--model-only", description = "Compute only; measure nothing.")
  private boolean modelOnly;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Emulated paths at the same time. Default: four for each processor.")
  private @Nullable Integer parallel;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Of each cell, instead of the files'.")
  private @Nullable Integer repetitions;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Of each run that goes on for a time, instead of the files'.")
  private @Nullable Double seconds;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  @Override
  public Integer call() throws InterruptedException {
    Path folder = out == null ? usualFolder() : out;
    try {
      model(folder);
      return modelOnly || measured(folder) ? 0 : 1;
    } catch (IOException e) {
      throw new Complaint(
          folder + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
    }
  }

  private void model(Path folder) throws IOException {
    ModelReport report = new ModelReport();
    report.writeTo(folder);
    PrintWriter print = spec.commandLine().getOut();
    report.tally().forEach((verdict, count) -> print.printf("%4d %s%n", count, verdict.words()));
    print.println("written: " + folder.resolve(ModelReport.PAGE));
    print.flush();
  }

  private boolean measured(Path folder) throws IOException, InterruptedException {
    Path files = experiments();
    ExperimentFile.Wish wish =
        new ExperimentFile.Wish(
            repetitions == null ? OptionalInt.empty() : OptionalInt.of(repetitions),
            seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds));
    List<Experiment> experiments =
        NAMES.stream()
            .map(name -> ExperimentFile.read(files.resolve(name + ".yaml"), wish))
            .toList();
    Campaign campaign =
        new Campaign(
            experiments,
            new ReportFolder(folder),
            parallel == null ? Campaign.usualParallel() : parallel);
    boolean complete = reportOnly || campaign.measure(spec.commandLine().getErr());
    campaign.report();
    spec.commandLine().getOut().println("written: " + folder.resolve("README.md"));
    spec.commandLine().getOut().flush();
    return complete;
  }

  /** Where the descriptions of experiments are. */
  static Path experiments() {
    return checkout()
        .map(root -> root.resolve(EXPERIMENTS))
        .orElseThrow(() ->
            new Complaint(
                "no experiments here: run ./cascade reproduce in a checkout, or --model-only"));
  }

  static Path usualFolder() {
    return checkout().map(root -> root.resolve(IN_A_CHECKOUT)).orElse(Path.of(""));
  }

  private static Optional<Path> checkout() {
    String launcher = System.getProperty("cascade.launcher");
    return Optional.ofNullable(launcher)
        .map(Path::of)
        .map(Path::getParent)
        .filter(root -> Files.isDirectory(root.resolve(EXPERIMENTS)));
  }
}
