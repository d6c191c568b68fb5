package io.cascade.studies.report;

import io.cascade.command.DataSize;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import io.cascade.studies.experiment.Forecast;
import io.cascade.studies.experiment.Result;
import io.cascade.studies.experiment.Run;
import io.cascade.studies.experiment.Workbench;
import io.cascade.studies.study.JsonLines;
import io.cascade.studies.study.LoadGate;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.PageVerb;
import io.cascade.studies.study.Runner;
import io.cascade.studies.study.StudyFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Experiments of files, measured together over reusable lines of sites. */
public abstract class Campaign extends PageVerb
    implements Measurement<Campaign.Task, Result>, Runner.Results<Result> {
  /** A run may fail for a transient reason, such as a control message that took too long. */
  private static final int ATTEMPTS = 2;

  /** Most paths have a low rate, and those with a high rate wait for each other. */
  private static final int PATHS_FOR_A_PROCESSOR = 4;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Run N emulated paths at the same time (default: four for each processor).")
  private int parallel = PATHS_FOR_A_PROCESSOR * Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Run each cell N times (default: as the file says).")
  private @Nullable Integer repetitions;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description =
          "Let each timed run take this long (default: as the file says); runs with times of their"
              + " own are stretched alike.")
  private @Nullable Double seconds;

  @Option(
      names = "--report-only",
      description = "Measure nothing; write the report from existing results.")
  private boolean reportOnly;

  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());

  /**
   * Names of experiments whose machine is recorded; accessed only by the runner, under its lock.
   */
  private final Set<String> noted = new HashSet<>();

  private List<Experiment> experiments = List.of();

  /**
   * @param name of the page about all experiments, without an ending
   */
  protected Campaign(String name) {
    super(name);
  }

  /** A run of an experiment. */
  public record Task(Experiment experiment, Run run) {
    private double seconds() {
      return run.cell().bytes().isPresent() ? 5 : run.cell().seconds();
    }
  }

  /** Files with the experiments to run. */
  protected abstract List<Path> files();

  /** The experiments of the files, after the check of the options. */
  protected final List<Experiment> experiments() {
    return experiments;
  }

  @Override
  protected void check() {
    atLeastOne("--parallel", parallel);
    if (repetitions != null) {
      atLeastOne("--repetitions", repetitions);
    }
    if (seconds != null && !(seconds > 0)) {
      throw refuse("--seconds " + seconds + " (expected: more than 0)");
    }
    ExperimentFile.Wish wish =
        new ExperimentFile.Wish(
            repetitions == null ? OptionalInt.empty() : OptionalInt.of(repetitions),
            seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds));
    experiments = files().stream().map(file -> ExperimentFile.read(file, wish)).toList();
  }

  @Override
  protected final boolean isReportOnly() {
    return reportOnly;
  }

  /**
   * Measures what has not been measured yet. The first repetition of every experiment precedes the
   * second of any. The longest runs of each come first, so that the last runs end at about the same
   * time.
   */
  @Override
  protected final boolean measure(PrintWriter err) throws InterruptedException, IOException {
    List<Task> tasks =
        experiments.stream()
            .flatMap(one -> one.runs().stream().map(run -> new Task(one, run)))
            .sorted(
                Comparator.<Task>comparingInt(task -> task.run().repetition())
                    .thenComparing(Comparator.comparingDouble(Task::seconds).reversed()))
            .toList();
    Runner<Task, Result> runner = new Runner<>(this, this, err);
    if (!runner.left(tasks).isEmpty()) {
      folder().make();
    }
    return runner.run(tasks, parallel);
  }

  /** Folder of an experiment's page and results. */
  private StudyFolder folder(Experiment experiment) {
    return new StudyFolder(folder().path(), experiment.name());
  }

  private JsonLines<Result> results(Experiment experiment) {
    return folder(experiment).results(Result.class, Result::key);
  }

  /** Results of an experiment. */
  protected final Evidence evidence(Experiment experiment) throws IOException {
    return Evidence.of(experiment, results(experiment).read(), folder(experiment).machine());
  }

  @Override
  public final Map<String, Result> byKey() {
    Map<String, Result> all = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      results(experiment).byKey().forEach((key, result) -> all.put(key(experiment, key), result));
    }
    return all;
  }

  @Override
  public final void append(Result result) {
    experiments.stream()
        .filter(experiment -> experiment.name().equals(result.experiment()))
        .forEach(experiment -> {
          if (noted.add(experiment.name())) {
            folder(experiment).measuredHere();
          }
          results(experiment).append(result);
        });
  }

  private static String key(Experiment experiment, String run) {
    return experiment.name() + ", " + run;
  }

  @Override
  public final String key(Task task) {
    return key(task.experiment(), task.run().key());
  }

  @Override
  public final boolean isAnswered(Task task, Result result) {
    return task.run().isAnsweredBy(result);
  }

  @Override
  public final Bench<Task, Result> open(int number) throws Exception {
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

  /** Bits per second that links carry together during a run, as predicted by the model. */
  private static double load(Cell cell, int relays) {
    double own = new Forecast(cell).bitsPerSecond();
    // A connection beside it crosses only the last link and fills its remaining capacity.
    return cell.beside().isEmpty() ? own * (relays + 1) : own / 2 * relays + cell.bitsPerSecond();
  }

  @Override
  public final String words(Result result) {
    if (result.failure() != null) {
      return result.failure();
    }
    return result.seconds() == null
        ? String.format(Locale.ROOT, "%.2f Mbit/s", result.bitsPerSecond() / 1e6)
        : String.format(
            Locale.ROOT, "%s in %.2f s", DataSize.format(result.bytes()), result.seconds());
  }
}
