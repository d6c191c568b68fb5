package io.cascade.studies.coded;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import io.cascade.studies.measured.LoadGate;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Runs cells in labs, some at the same time, and leaves out what was run already. Runs are
 * interleaved: the second run of any cell comes after the first of all.
 */
final class CodedLabCampaign {
  private final JsonLines<LabRun> results;
  private final PrintWriter err;
  private final Consumer<String> trace;
  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());

  CodedLabCampaign(JsonLines<LabRun> results, PrintWriter err, Consumer<String> trace) {
    this.results = results;
    this.err = err;
    this.trace = trace;
  }

  /** Runs that are wanted and not there yet; failed ones are wanted again. */
  static List<LabRun> missing(List<LabCell> cells, int runs, List<LabRun> there) {
    Map<String, LabRun> found = new HashMap<>();
    there.forEach(run -> found.put(run.key(), run));
    List<LabRun> missing = new ArrayList<>();
    for (int number = 1; number <= runs; number++) {
      for (LabCell cell : cells) {
        LabRun run = found.get(LabRun.key(cell, number));
        if (run == null || run.failure() != null) {
          missing.add(LabRun.failed(cell, number, "not run"));
        }
      }
    }
    return missing;
  }

  /**
   * Measures what is left. A signal ends it; what was not finished is measured the next time.
   *
   * @return whether nothing is left
   */
  boolean measure(
      List<LabCell> cells, int runs, int parallel, CodedLab.Length alone, CodedLab.Length shared)
      throws InterruptedException {
    // In a mixed order, so that quick and slow links run beside each other.
    List<LabCell> mixed = new ArrayList<>(cells);
    Collections.shuffle(mixed, new Random(1));
    List<LabRun> left = missing(mixed, runs, results.read());
    err.println(
        "%d of %d runs to do, up to %d at a time"
            .formatted(left.size(), cells.size() * runs, parallel));
    err.flush();
    Worklist<LabRun> list = new Worklist<>(left, err);
    return list.run(parallel, number -> work(list, number, alone, shared))
        && missing(cells, runs, results.read()).isEmpty();
  }

  private void work(
      Worklist<LabRun> list, int number, CodedLab.Length alone, CodedLab.Length shared)
      throws IOException, InterruptedException {
    try (CodedLab lab =
        CodedLab.up("c" + ProcessHandle.current().pid() + "-" + number, number + 1, trace)) {
      for (LabRun wish = list.next(); wish != null; wish = list.next()) {
        try (LoadGate.Pass _ = gate.enter(wish.cell().load())) {
          LabRun run = lab.run(wish.cell(), wish.number(), wish.cell().isShared() ? shared : alone);
          list.measured(() -> results.append(run), run.key() + ": " + summary(run));
        }
      }
    }
  }

  private static String summary(LabRun run) {
    if (run.failure() != null) {
      return run.failure();
    }
    return String.format(
        Locale.ROOT,
        "%.3f of the best, round trip x %.2f, share %.2f, load %.1f",
        run.ofBest(),
        run.roundTripFactor(),
        run.share(),
        run.load());
  }
}
