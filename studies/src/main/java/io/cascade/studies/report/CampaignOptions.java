package io.cascade.studies.report;

import io.cascade.command.CommandException;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the verbs that run experiments from files. */
public final class CampaignOptions {
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

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description =
          "Of each run that goes on for a time, instead of the file's; runs with times of"
              + " their own are stretched alike.")
  private @Nullable Double seconds;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  /**
   * Returns the values that take the place of the file's.
   *
   * @throws CommandException where a value is out of range
   */
  public ExperimentFile.Wish wish() {
    if (repetitions != null && repetitions < 1) {
      throw new CommandException("--repetitions: " + repetitions + " (expected: 1 or more)");
    }
    if (seconds != null && !(seconds > 0)) {
      throw new CommandException("--seconds: " + seconds + " (expected: more than 0)");
    }
    return new ExperimentFile.Wish(
        repetitions == null ? OptionalInt.empty() : OptionalInt.of(repetitions),
        seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds));
  }

  /**
   * The campaign over these experiments.
   *
   * @throws CommandException where a value is out of range
   */
  public Campaign campaign(List<Experiment> experiments, ReportFolder folder) {
    if (parallel != null && parallel < 1) {
      throw new CommandException("--parallel: " + parallel + " (expected: 1 or more)");
    }
    return new Campaign(
        experiments, folder, parallel == null ? Campaign.usualParallel() : parallel);
  }

  /**
   * Measures, unless only a report is wanted.
   *
   * @return whether everything was measured that had to be
   */
  public boolean measure(Campaign campaign, PrintWriter progress)
      throws InterruptedException, IOException {
    return reportOnly || campaign.measure(progress);
  }
}
