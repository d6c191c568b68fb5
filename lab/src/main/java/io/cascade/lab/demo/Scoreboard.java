package io.cascade.lab.demo;

import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Transfers side by side, a line each: redrawn lines on a terminal, otherwise a new pair every few
 * seconds.
 */
final class Scoreboard {
  private static final int BAR = 30;
  private static final double PLAIN_SECONDS = 5;
  private static final String CLEAR_LINE = "\r\033[2K";

  private final PrintWriter out;
  private final boolean terminal;
  private final int columns;
  private final List<Progress> transfers;
  private double printedSeconds = Double.NEGATIVE_INFINITY;
  private boolean drawn;

  /**
   * @param columns of the terminal
   */
  Scoreboard(PrintWriter out, boolean terminal, int columns, List<Progress> transfers) {
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
    this.transfers = transfers;
  }

  /**
   * Shows the transfers.
   *
   * @param seconds since the beginning
   */
  void show(double seconds) {
    if (terminal) {
      clear();
      String text = String.join("\n", transfers.stream().map(one -> clip(line(one))).toList());
      out.print(text);
      drawn = true;
    } else if (seconds >= printedSeconds + PLAIN_SECONDS) {
      printedSeconds = seconds;
      transfers.forEach(one -> out.println(line(one)));
    }
    out.flush();
  }

  /** Prints a permanent line above the transfers. */
  void note(String line) {
    clear();
    out.println(terminal ? clip(line) : line);
    out.flush();
  }

  /** Shows the final state, which stays. */
  void end() {
    clear();
    transfers.forEach(one -> out.println(terminal ? clip(line(one)) : line(one)));
    out.flush();
  }

  private void clear() {
    if (drawn) {
      for (int i = 1; i < transfers.size(); i++) {
        out.print(CLEAR_LINE + "\033[1A");
      }
      out.print(CLEAR_LINE);
      drawn = false;
    }
  }

  private String clip(String line) {
    return line.length() < columns ? line : line.substring(0, Math.max(0, columns - 2)) + "…";
  }

  /** A transfer in one line. */
  static String line(Progress one) {
    int full = (int) Math.floor(BAR * one.fraction());
    String end =
        one.isDone()
            ? "done in " + Quantities.seconds(one.doneSeconds())
            : one.isBeingConfirmed()
                ? "being confirmed"
                : one.hasTimeLeft() ? whole(one.leftSeconds()) + " left" : "";
    return String.format(
            Locale.ROOT,
            "%-16s [%s%s] %3d %%  %10s  %11s  %s",
            one.name(),
            "#".repeat(full),
            ".".repeat(BAR - full),
            (int) Math.floor(100 * one.fraction()),
            DataSize.format(one.bytes()),
            Quantities.rate(one.bitsPerSecond()),
            end)
        .stripTrailing();
  }

  private static String whole(double seconds) {
    long rounded = Math.round(seconds);
    return rounded == 0
        ? "less than 1 s"
        : rounded < 120 ? rounded + " s" : Quantities.seconds((double) rounded);
  }
}
