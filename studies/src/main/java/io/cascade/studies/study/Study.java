package io.cascade.studies.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/**
 * A study: tasks that are measured once each, and a page about the existing results.
 *
 * @param <T> a single measurement
 * @param <R> its result
 */
public abstract class Study<T, R> extends PageVerb implements Measurement<T, R> {
  private final Class<R> type;
  private final Function<R, String> key;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Run each cell N times (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--report-only",
      description = "Measure nothing; write the report from existing results.")
  private boolean reportOnly;

  /**
   * @param name of the files of the page and of the results, without an ending
   * @param repetitions the default
   * @param type of results, a record
   * @param key of a result, which is also the key of its task
   */
  protected Study(String name, int repetitions, Class<R> type, Function<R, String> key) {
    super(name);
    this.repetitions = repetitions;
    this.type = type;
    this.key = key;
  }

  /** All tasks of the study. */
  protected abstract List<T> tasks();

  /** Results of tasks. */
  protected final JsonLines<R> results() {
    return folder().results(type, key);
  }

  /** All results that the page is about; by default the results of the tasks. */
  protected List<JsonLines<?>> allResults() {
    return List.of(results());
  }

  @Override
  protected final boolean hasResults() {
    return allResults().stream().anyMatch(results -> !results.read().isEmpty());
  }

  /** Number of tasks at the same time. */
  protected int parallel() {
    return 1;
  }

  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    return measure(this, results(), tasks(), parallel(), err);
  }

  /**
   * Measures the remaining ones of some tasks, and records the machine with the first result.
   *
   * @return whether nothing is left to measure
   */
  protected final <A, B> boolean measure(
      Measurement<A, B> how,
      Runner.Results<B> results,
      List<A> tasks,
      int parallel,
      PrintWriter err)
      throws InterruptedException, IOException {
    Runner<A, B> runner = new Runner<>(how, new NotedResults<>(results, folder()), err);
    if (!runner.left(tasks).isEmpty()) {
      folder().make();
    }
    return runner.run(tasks, parallel);
  }

  @Override
  protected final boolean isReportOnly() {
    return reportOnly;
  }

  @Override
  public final Integer call() throws Exception {
    atLeastOne("--repetitions", repetitions);
    atLeastOne("--parallel", parallel());
    return super.call();
  }

  protected final int repetitions() {
    return repetitions;
  }
}
