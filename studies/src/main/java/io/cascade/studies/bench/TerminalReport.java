package io.cascade.studies.bench;

import io.cascade.client.terminal.Table;
import io.cascade.studies.bench.BenchReport.Cell;
import io.cascade.studies.bench.BenchReport.Row;
import io.cascade.studies.bench.BenchReport.ScalingTable;
import io.cascade.studies.bench.BenchReport.TrialTable;
import io.cascade.studies.study.Goal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A report for people at a terminal. */
final class TerminalReport {
  private TerminalReport() {}

  static void print(BenchReport report, PrintWriter out) {
    out.printf(
        "medians of %d rounds of %s s, ± half of lowest to highest; × this project's value over the"
            + " row's%n%s%n",
        report.rounds(), report.seconds(), report.machine().division());
    for (TrialTable table : report.trials()) {
      out.printf("%n%s%n", table.title());
      print(table, out);
    }
    for (ScalingTable table : report.scaling()) {
      out.printf("%n%s; × over its own on one processor%n  %s%n", table.title(), table.note());
      print(table.figures(), out);
    }
    for (AllocationProfile profile : report.allocations()) {
      out.printf("%nallocations, %s%n", profile.described());
      print(profile, out);
    }
    if (!report.goals().isEmpty()) {
      out.printf("%ngoals%n");
      Table goals = new Table("goal", ">reached", "");
      report
          .goals()
          .forEach(goal ->
              goals.row(
                  goal.goal(),
                  String.format(Locale.ROOT, "%.2f", goal.reached()),
                  Goal.onTerminal(goal.finding())));
      goals.print(out, "  ");
    }
    report.notices().forEach(notice -> out.println("sat out: " + notice));
    report.failures().forEach(failure -> out.println("FAILED: " + failure));
    out.flush();
  }

  private static void print(TrialTable table, PrintWriter out) {
    List<Metric> metrics = table.metrics();
    Table lines =
        new Table(
            Stream.concat(
                    Stream.of(""),
                    metrics.stream().map(metric -> ">" + metric.label() + " " + metric.unit()))
                .toArray(String[]::new));
    for (Row row : table.rows()) {
      List<String> cells = new ArrayList<>();
      cells.add(row.contender());
      metrics.forEach(metric ->
          cells.add(table.cell(row.contender(), metric).map(TerminalReport::cellText).orElse("-")));
      lines.row(cells.toArray());
    }
    lines.print(out, "  ");
  }

  private static void print(AllocationProfile profile, PrintWriter out) {
    Table lines = new Table("class", "allocated by", "of", ">bytes/" + profile.unit(), ">share");
    profile
        .places()
        .forEach(place ->
            lines.row(
                place.allocated(), place.by(), place.of(), place.bytesText(), place.shareText()));
    lines.print(out, "  ");
  }

  /** A cell, such as {@code 0.412 ±3% ×1.20}. */
  static String cellText(Cell cell) {
    String value =
        String.format(
            Locale.ROOT, "%s ±%.0f%%", cell.metric().format(cell.median()), cell.spread() * 100);
    Double ratio = cell.ratio();
    return ratio == null ? value : value + String.format(Locale.ROOT, " ×%.2f", ratio);
  }
}
