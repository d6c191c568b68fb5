package io.cascade.studies.report;

import io.cascade.command.DataSize;
import io.cascade.studies.experiment.Conductor;
import io.cascade.studies.experiment.Result;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar with the time left where there is a terminal, else a line a run. */
final class ExperimentProgress implements Conductor.Listener, AutoCloseable {
  private static final int USUAL_COLUMNS = 100;

  private final String name;
  private final PrintWriter err;
  private @Nullable ProgressBar bar;
  private int runs;
  private int done;

  ExperimentProgress(String name, PrintWriter err) {
    this.name = name;
    this.err = err;
  }

  @Override
  public synchronized void started(int count, double seconds) {
    runs = count;
    err.printf(Locale.ROOT, "%s: %d runs, about %.0f min%n", name, count, seconds / 60 + 2);
    err.flush();
    if (Boolean.getBoolean("cascade.terminal")) { // Said by the launcher.
      PrintStream terminal =
          new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setInitialMax(count)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(500)
              .setConsumer(
                  new ConsoleProgressBarConsumer(
                      terminal, Integer.getInteger("cascade.columns", USUAL_COLUMNS) - 1))
              .build();
    }
  }

  @Override
  public synchronized void measured(Result result) {
    done++;
    ProgressBar drawn = bar;
    if (drawn != null) {
      drawn.stepTo(done);
    } else {
      err.println("%d/%d %s: %s".formatted(done, runs, result.key(), outcome(result)));
      err.flush();
    }
  }

  private static String outcome(Result result) {
    if (result.failure() != null) {
      return result.failure();
    }
    String rate = String.format(Locale.ROOT, "%.2f Mbit/s", result.bitsPerSecond() / 1e6);
    return result.seconds() == null
        ? rate
        : String.format(
            Locale.ROOT, "%s in %.2f s", DataSize.format(result.bytes()), result.seconds());
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
