package io.cascade.studies.study;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A verb below {@code reproduce}: it measures or computes something, and writes a page about it.
 */
public abstract class PageVerb implements Callable<Integer> {
  private final String name;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write into this folder (default: docs/experiments in a checkout, else the current"
              + " folder).")
  private @Nullable Path out;

  /**
   * @param name of the page's file, without an ending
   */
  protected PageVerb(String name) {
    this.name = name;
  }

  /** Checks options; {@link #atLeastOne} and {@link #refuse} say what is expected. */
  protected void check() {}

  /**
   * Measures what has not been measured yet; does nothing by default.
   *
   * @param err receives lines about progress
   * @return whether nothing is left to measure, and all results are as required
   */
  protected boolean measure(PrintWriter err) throws Exception {
    return true;
  }

  /** Whether measuring is disabled. */
  protected boolean isReportOnly() {
    return false;
  }

  /** Whether there are results for the page; true by default. */
  protected boolean hasResults() {
    return true;
  }

  /** The page about the existing results. */
  protected abstract Page page() throws IOException;

  /** Prints results besides the page's name; nothing by default. */
  protected void print(PrintWriter out) throws IOException {}

  @Override
  public Integer call() throws Exception {
    check();
    checkThatNoPageIsLost();
    try {
      boolean complete = isReportOnly() || measure(err());
      if (!hasResults()) {
        throw new CommandException(
            "%s: not written, for there are no results of it in %s"
                .formatted(folder().page(), RawResults.of(folder().path())));
      }
      folder().write(page());
      print(out());
      out().println("written: " + folder().page());
      out().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw new CommandException(
          folder().path() + ": cannot be written (" + e.getMessage() + "); name another with --out",
          e);
    }
  }

  /**
   * Refuses to replace a page whose results are not stored with it, since it cannot be written
   * again.
   */
  private void checkThatNoPageIsLost() {
    Path page = folder().page();
    boolean isMeant = isOutNamed() && !isReportOnly();
    if (!isMeant && Files.exists(page) && !hasResults()) {
      throw new CommandException(
          page
              + " stays as it is: no results of it are here; name another folder with --out"
              + (isReportOnly()
                  ? ""
                  : ", or this one to measure it anew: --out " + folder().path().toAbsolutePath()));
    }
  }

  /** Whether {@code --out} is given. */
  protected final boolean isOutNamed() {
    return out != null;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Folder for pages if {@code --out} is not given. */
  protected Path usualFolder() {
    return Checkout.pages();
  }

  protected final StudyFolder folder() {
    return new StudyFolder(out == null ? usualFolder() : out, name);
  }

  /** Refuses a value of an option that is below one, or NaN. */
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
