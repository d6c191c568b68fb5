package io.cascade.studies.bench;

import java.io.PrintWriter;

/** Says what is being measured, and how much of it is done, in lines. */
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

  /** One more measurement begins. */
  void step(String trial) {
    if (!trial.equals(title)) {
      says("%3d %% %s".formatted(100L * done / Math.max(1, steps), trial));
      title = trial;
    }
    done++;
  }
}
