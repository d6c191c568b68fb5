package io.cascade.studies.bench;

import java.io.PrintWriter;

/** Prints which measurement runs and how many are done, in lines. */
final class Progress {
  private final PrintWriter err;
  private int steps;
  private int done;
  private String title = "";

  Progress(PrintWriter err) {
    this.err = err;
  }

  void expect(int measurements) {
    this.steps = measurements;
  }

  void says(String line) {
    err.println(line);
    err.flush();
  }

  /** Reports the start of the next measurement. */
  void step(String trial) {
    if (!trial.equals(title)) {
      says("%3d %% %s".formatted(100L * done / Math.max(1, steps), trial));
      title = trial;
    }
    done++;
  }
}
