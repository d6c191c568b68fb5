package io.cascade.studies.bench;

import java.io.PrintWriter;

/** Says on stderr what is being measured and how much of it is left. */
final class Progress {
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter err;
  private final boolean terminal;
  private final int columns;
  private final long startNanos = System.nanoTime();
  private int steps;
  private int done;
  private String title = "";

  Progress(PrintWriter err) {
    this.err = err;
    this.terminal = Boolean.getBoolean("cascade.terminal"); // Said by the launcher.
    this.columns = Integer.getInteger("cascade.columns", 100);
  }

  void expect(int measurements) {
    this.steps = measurements;
  }

  void says(String line) {
    if (terminal) {
      draw(line);
    } else {
      err.println(line);
      err.flush();
    }
  }

  void step(String trial, String contender, int round) {
    if (terminal) {
      draw(
          "%3d %%, %s left  %s, round %d: %s"
              .formatted(percent(), left(), trial, round, contender));
    } else if (!trial.equals(title)) {
      err.printf("%3d %%, %s left  %s%n", percent(), left(), trial);
      err.flush();
    }
    title = trial;
    done++;
  }

  void end() {
    if (terminal) {
      draw("");
    }
  }

  private int percent() {
    return steps == 0 ? 0 : (int) Math.min(100, 100L * done / steps);
  }

  private String left() {
    if (done == 0) {
      return "?";
    }
    double each = (System.nanoTime() - startNanos) / NANOS_PER_SECOND / done;
    long seconds = Math.round(each * Math.max(0, steps - done));
    return "%d:%02d".formatted(seconds / 60, seconds % 60);
  }

  private void draw(String line) {
    String cut = line.substring(0, Math.min(line.length(), columns - 1));
    err.print("\r\033[K" + cut);
    err.flush();
  }
}
