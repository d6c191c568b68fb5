package io.cascade.studies.measured;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Measures paths, several at the same time, and leaves out those that were measured already. */
final class MeasuredCampaign {
  private final List<EmulatedPath> paths;
  private final int repetitions;
  private final JsonLines<PathResult> results;
  private final PrintWriter err;
  private final Trial trial;

  /** The measurement of one path. */
  interface Trial {
    /**
     * @param lab the name of its lab
     */
    PathResult run(EmulatedPath path, String lab) throws InterruptedException;
  }

  MeasuredCampaign(
      List<EmulatedPath> paths, int repetitions, JsonLines<PathResult> results, PrintWriter err) {
    this(paths, repetitions, results, err, trials(repetitions));
  }

  MeasuredCampaign(
      List<EmulatedPath> paths,
      int repetitions,
      JsonLines<PathResult> results,
      PrintWriter err,
      Trial trial) {
    this.paths = paths;
    this.repetitions = repetitions;
    this.results = results;
    this.err = err;
    this.trial = trial;
  }

  private static Trial trials(int repetitions) {
    LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());
    return (path, lab) -> new PathTrial(path, repetitions, gate).run(lab);
  }

  /** Paths without a whole result of as many repetitions. */
  List<EmulatedPath> left() {
    Map<String, PathResult> measured = new HashMap<>();
    results.read().forEach(result -> measured.put(result.key(), result));
    return paths.stream()
        .filter(path -> {
          PathResult result = measured.get(path.key());
          return result == null
              || result.failure() != null
              || result.repetitions() < repetitions
              || !result.path().equals(path);
        })
        .toList();
  }

  /**
   * Measures what is left. A signal ends it; what was not finished is measured the next time. A
   * path that fails is a result that says so, and the others go on.
   *
   * @return whether nothing is left
   */
  boolean measure(int parallel) throws InterruptedException {
    List<EmulatedPath> left = left();
    err.println(
        "%d of %d paths to measure, %d at a time".formatted(left.size(), paths.size(), parallel));
    err.flush();
    Worklist<EmulatedPath> list = new Worklist<>(left, err);
    return list.run(parallel, number -> work(list, number)) && left().isEmpty();
  }

  private void work(Worklist<EmulatedPath> list, int number) throws InterruptedException {
    for (EmulatedPath path = list.next(); path != null; path = list.next()) {
      PathResult result = measured(path, "m" + ProcessHandle.current().pid() + "-" + number);
      list.measured(
          () -> results.append(result), "path " + result.path().number() + ": " + summary(result));
    }
  }

  private PathResult measured(EmulatedPath path, String lab) throws InterruptedException {
    try {
      return trial.run(path, lab);
    } catch (RuntimeException e) {
      return PathTrial.failed(path, repetitions, e);
    }
  }

  private static String summary(PathResult result) {
    if (result.failure() != null) {
      return result.failure();
    }
    PathVerdict verdict = PathVerdict.of(result);
    return String.format(
        Locale.ROOT,
        "%s, send %.2f of %s, %.2f of direct",
        Objects.requireNonNull(result.plan()).decision(),
        verdict.ofBest(),
        verdict.best(),
        verdict.ofDirect());
  }
}
