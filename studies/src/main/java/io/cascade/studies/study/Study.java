package io.cascade.studies.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A study: tasks that are measured once each, and a page about whatever results there are. It is a
 * verb, below {@code reproduce}.
 *
 * @param <T> what is measured once
 * @param <R> its result
 */
public abstract class Study<T, R> implements Callable<Integer>, Measurement<T, R> {
  private final String name;
  private final Class<R> type;
  private final Function<R, String> key;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Runs of each cell (${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder pages = new PageFolder();

  /**
   * @param name of the page's file and of the results, without an ending
   * @param repetitions unless others are asked for
   * @param type of results, a record
   * @param key of a result, which its task has as well
   */
  protected Study(String name, int repetitions, Class<R> type, Function<R, String> key) {
    this.name = name;
    this.repetitions = repetitions;
    this.type = type;
    this.key = key;
  }

  /** Checks options; {@link #atLeastOne} and {@link #refuse} say what is expected. */
  protected void check() {}

  /** Everything that is to be measured. */
  protected abstract List<T> tasks();

  /** Results of tasks. */
  protected final JsonLines<R> results() {
    return folder().results(type, key);
  }

  /** Tasks at the same time. */
  protected int parallel() {
    return 1;
  }

  /**
   * Measures what has not been measured.
   *
   * @return whether nothing is left
   */
  protected boolean measure(PrintWriter err) throws Exception {
    return measure(this, results(), tasks(), parallel(), err);
  }

  /**
   * Measures what has not been measured of some tasks, and notes the machine if there is any.
   *
   * @return whether nothing is left
   */
  protected final <A, B> boolean measure(
      Measurement<A, B> how, JsonLines<B> results, List<A> tasks, int parallel, PrintWriter err)
      throws InterruptedException, IOException {
    Runner<A, B> runner = new Runner<>(how, results, err);
    if (!runner.left(tasks).isEmpty()) {
      folder().measuredHere();
    }
    return runner.run(tasks, parallel);
  }

  /** The page about whatever there is. */
  protected abstract Page page() throws IOException;

  /** What is printed besides the page's name; nothing unless said otherwise. */
  protected void print(PrintWriter out) throws IOException {}

  @Override
  public Integer call() throws Exception {
    atLeastOne("--repetitions", repetitions);
    atLeastOne("--parallel", parallel());
    check();
    try {
      boolean complete = true;
      if (!reportOnly) {
        complete = measure(spec.commandLine().getErr());
      }
      folder().write(page());
      print(out());
      out().println("written: " + folder().page());
      out().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw pages.unwritable(e);
    }
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final StudyFolder folder() {
    return new StudyFolder(pages.path(), name);
  }

  protected final int repetitions() {
    return repetitions;
  }

  /** Refuses an option's value below one, or that is not a number. */
  protected final void atLeastOne(String option, double value) {
    if (!(value >= 1)) {
      throw refuse("%s %s (expected: 1 or more)".formatted(option, number(value)));
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString(Math.round(value)) : Double.toString(value);
  }

  /** The error about an option, with its fix. */
  protected final ParameterException refuse(String words) {
    return new ParameterException(spec.commandLine(), words);
  }
}
