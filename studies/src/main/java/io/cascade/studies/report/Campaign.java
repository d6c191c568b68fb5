package io.cascade.studies.report;

import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.studies.experiment.Conductor;
import io.cascade.studies.experiment.Experiment;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/**
 * Experiments measured and reported on together. A signal stops it: what runs is given up, what was
 * set up is removed, and the next campaign goes on from there.
 *
 * @param parallel emulated paths at the same time
 */
public record Campaign(List<Experiment> experiments, ReportFolder folder, int parallel) {

  /** Copies the list. */
  public Campaign {
    experiments = List.copyOf(experiments);
    if (parallel < 1) {
      throw new CommandException("parallel: " + parallel + " (expected: 1 or more)");
    }
  }

  /**
   * More than there are processors: most paths carry little, and those that carry much take turns.
   */
  public static int usualParallel() {
    return 4 * Runtime.getRuntime().availableProcessors();
  }

  /**
   * Measures what has not been measured yet.
   *
   * @return whether everything has been measured
   */
  public boolean measure(PrintWriter err) throws InterruptedException, IOException {
    List<Conductor.Job> jobs =
        experiments.stream()
            .map(experiment -> new Conductor.Job(experiment, folder.results(experiment)))
            .toList();
    for (Conductor.Job job : jobs) {
      if (!job.left().isEmpty()) {
        folder.measuredHere(job.experiment());
      }
    }
    String name =
        experiments.size() == 1
            ? experiments.getFirst().name()
            : experiments.size() + " experiments";
    try (ExperimentProgress progress = new ExperimentProgress(name, err)) {
      Conductor conductor = new Conductor(jobs, progress);
      try (StopHook _ = StopHook.install(() -> stop(conductor, err))) {
        return conductor.conduct(parallel);
      }
    }
  }

  private static void stop(Conductor conductor, PrintWriter err) {
    try {
      conductor.stop();
      err.println("stopped; the same command goes on from here");
      err.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes pages, charts and tables about whatever there is. */
  public void report() throws IOException {
    folder.write(experiments);
  }
}
