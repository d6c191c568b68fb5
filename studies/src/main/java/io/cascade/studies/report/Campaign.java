package io.cascade.studies.report;

import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.Forecast;
import io.cascade.studies.experiment.Result;
import io.cascade.studies.experiment.Run;
import io.cascade.studies.experiment.Workbench;
import io.cascade.studies.study.LoadGate;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Runner;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments measured and reported on together, over lines of sites that stay up. */
public final class Campaign implements Measurement<Campaign.Task, Result>, Runner.Results<Result> {
  /** A run may fail for a passing reason, such as a control message that took too long. */
  private static final int ATTEMPTS = 2;

  private final List<Experiment> experiments;
  private final ReportFolder folder;
  private final int parallel;
  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());

  /** A run of an experiment. */
  public record Task(Experiment experiment, Run run) {
    private double seconds() {
      return run.cell().bytes().isPresent() ? 5 : run.cell().seconds();
    }
  }

  /**
   * @param parallel emulated paths at the same time
   */
  public Campaign(List<Experiment> experiments, ReportFolder folder, int parallel) {
    this.experiments = List.copyOf(experiments);
    this.folder = folder;
    this.parallel = parallel;
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
   * Measures what has not been measured yet. The first repetition of every experiment comes before
   * the second of any; the longest runs of each come first, so that the last ones end together.
   *
   * @return whether everything has been measured
   */
  public boolean measure(PrintWriter err) throws InterruptedException, IOException {
    List<Task> tasks =
        experiments.stream()
            .flatMap(one -> one.runs().stream().map(run -> new Task(one, run)))
            .sorted(
                Comparator.<Task>comparingInt(task -> task.run().repetition())
                    .thenComparing(Comparator.comparingDouble(Task::seconds).reversed()))
            .toList();
    Runner<Task, Result> runner = new Runner<>(this, this, err);
    LinkedHashSet<Experiment> measured = new LinkedHashSet<>();
    runner.left(tasks).forEach(task -> measured.add(task.experiment()));
    for (Experiment experiment : measured) {
      folder.measuredHere(experiment);
    }
    return runner.run(tasks, parallel);
  }

  /** Writes pages, charts and tables about whatever there is. */
  public void report() throws IOException {
    folder.write(experiments);
  }

  @Override
  public Map<String, Result> byKey() {
    Map<String, Result> all = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      folder
          .results(experiment)
          .byKey()
          .forEach((key, result) -> all.put(key(experiment, key), result));
    }
    return all;
  }

  @Override
  public void append(Result result) {
    experiments.stream()
        .filter(experiment -> experiment.name().equals(result.experiment()))
        .forEach(experiment -> folder.results(experiment).append(result));
  }

  private static String key(Experiment experiment, String run) {
    return experiment.name() + ", " + run;
  }

  @Override
  public String key(Task task) {
    return key(task.experiment(), task.run().key());
  }

  @Override
  public boolean isAnswered(Task task, Result result) {
    return task.run().isAnsweredBy(result);
  }

  @Override
  public Bench<Task, Result> open(int number) throws Exception {
    int relays = experiments.stream().mapToInt(Experiment::mostRelays).max().orElse(0);
    long seed = experiments.getFirst().seed() * 1_000 + number + 1;
    Workbench bench =
        Workbench.up("x" + ProcessHandle.current().pid() + "-" + (number + 1), relays, seed);
    return Measurement.on(
        bench,
        task -> {
          try (LoadGate.Pass _ = gate.enter(load(task.run().cell(), relays))) {
            Result result = bench.run(task.experiment().name(), task.run());
            for (int i = 1; result.failure() != null && i < ATTEMPTS; i++) {
              result = bench.run(task.experiment().name(), task.run());
            }
            return result;
          }
        });
  }

  /** Bits per second that links carry together while it runs, as the model expects. */
  private static double load(Cell cell, int relays) {
    double own = new Forecast(cell).bitsPerSecond();
    // A connection beside it crosses the last link alone and fills what is left of it.
    return cell.beside().isEmpty() ? own * (relays + 1) : own / 2 * relays + cell.bitsPerSecond();
  }

  @Override
  public String words(Result result) {
    if (result.failure() != null) {
      return result.failure();
    }
    return result.seconds() == null
        ? String.format(Locale.ROOT, "%.2f Mbit/s", result.bitsPerSecond() / 1e6)
        : String.format(
            Locale.ROOT, "%s in %.2f s", DataSize.format(result.bytes()), result.seconds());
  }
}
