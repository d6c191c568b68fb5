package io.cascade.studies.bench;

import io.cascade.api.Json;
import io.cascade.charts.BarChart;
import io.cascade.studies.bench.BenchReport.Cell;
import io.cascade.studies.bench.BenchReport.Row;
import io.cascade.studies.bench.BenchReport.ScalingTable;
import io.cascade.studies.bench.BenchReport.TrialTable;
import io.cascade.studies.study.Goal;
import io.cascade.studies.study.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes {@code bench.md} with its charts to a folder, and {@code bench.json} and {@code bench.csv}
 * to that of its results.
 */
final class ReportFiles {
  private static final Set<Metric> CHARTED =
      Set.of(
          Metric.RELAY_CPU,
          Metric.ALL_CPU,
          Metric.THROUGHPUT,
          Metric.CONNECTIONS,
          Metric.P50,
          Metric.PSS_PER_STREAM);

  private final BenchReport report;

  ReportFiles(BenchReport report) {
    this.report = report;
  }

  void write(Path folder) throws IOException {
    Path raw = Files.createDirectories(RawResults.of(folder));
    Files.writeString(
        raw.resolve("bench.json"),
        Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
    Files.writeString(raw.resolve("bench.csv"), csv());
    Map<String, BarChart> charts = charts();
    for (Map.Entry<String, BarChart> chart : charts.entrySet()) {
      Files.writeString(folder.resolve(chart.getKey()), chart.getValue().svg());
    }
    Files.writeString(folder.resolve("bench.md"), markdown(charts));
  }

  String csv() {
    StringBuilder csv = new StringBuilder("trial,contender,metric,unit,round,value\n");
    List<TrialTable> tables = new ArrayList<>(report.trials());
    report.scaling().forEach(scaling -> tables.add(scaling.figures()));
    for (TrialTable table : tables) {
      for (Row row : table.rows()) {
        for (Cell cell : row.cells()) {
          for (int round = 0; round < cell.rounds().size(); round++) {
            csv.append(
                String.format(
                    Locale.ROOT,
                    "\"%s\",%s,%s,%s,%d,%s%n",
                    table.title(),
                    row.contender(),
                    cell.metric(),
                    cell.unit(),
                    round + 1,
                    cell.rounds().get(round)));
          }
        }
      }
    }
    return csv.toString();
  }

  /**
   * Charts by file name: one for each telling metric, with the trials that have it side by side.
   */
  private Map<String, BarChart> charts() {
    Map<String, BarChart> charts = new TreeMap<>();
    for (Metric metric : CHARTED) {
      List<TrialTable> having =
          report.trials().stream().filter(table -> table.metrics().contains(metric)).toList();
      if (!having.isEmpty()) {
        String file = "bench-" + metric.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
        charts.put(file, chart(metric, having));
      }
    }
    return charts;
  }

  private static BarChart chart(Metric metric, List<TrialTable> tables) {
    Set<String> contenders = new LinkedHashSet<>();
    for (TrialTable table : tables) {
      for (Row row : table.rows()) {
        if (table.cell(row.contender(), metric).isPresent()) {
          contenders.add(row.contender());
        }
      }
    }
    List<BarChart.Bars> groups = new ArrayList<>();
    for (TrialTable table : tables) {
      groups.add(
          new BarChart.Bars(
              table.title(),
              contenders.stream()
                  .map(name -> table.cell(name, metric).map(Cell::median).orElse(Double.NaN))
                  .toList(),
              contenders.stream()
                  .map(name ->
                      table
                          .cell(name, metric)
                          .map(cell -> (cell.high() - cell.low()) / 2)
                          .orElse(0.0))
                  .toList()));
    }
    String label = metric.label() + " [" + metric.unit() + "]";
    return new BarChart(
        metric.label() + (metric.moreIsBetter() ? ": more is better" : ": less is better"),
        label,
        List.copyOf(contenders),
        groups);
  }

  private String markdown(Map<String, BarChart> charts) {
    StringBuilder text = new StringBuilder();
    Machine machine = report.machine();
    text.append(
        """
        # The relay beside its peers

        Written by `./cascade bench --rounds %d --seconds %s` on %s; do not edit. Raw values: `bench.csv` and
        `bench.json` in the folder of results.

        %s, %d processors, Linux %s, Java %s, %s, loopback; %s. Load average before the run: %.2f.
        Medians of %d interleaved rounds, ± half of lowest to highest; × is this project's value over that row's, the
        median of the rounds' ratios. Every byte was counted at the far end, every small message compared, and 16 MiB
        through each proxy checked by SHA-256 before it was measured.

        """
            .formatted(
                report.rounds(),
                Double.toString(report.seconds()).replaceFirst("\\.0$", ""),
                machine.date(),
                machine.processor(),
                machine.processors(),
                machine.kernel(),
                machine.java(),
                machine.congestionControl(),
                machine.division(),
                machine.loadBefore(),
                report.rounds()));
    list(text, "Did not work", report.failures());
    list(text, "Sat out", report.notices());
    for (TrialTable table : report.trials()) {
      text.append("## ").append(capital(table.title())).append("\n\n");
      table(text, table);
    }
    for (ScalingTable table : report.scaling()) {
      text.append("## ").append(capital(table.title())).append("\n\n").append(table.note());
      text.append(" Here × is a row's value over its own on one processor.\n\n");
      table(text, table.figures());
    }
    allocations(text);
    if (!report.goals().isEmpty()) {
      text.append("## Goals\n\n| goal | reached | |\n|---|---:|---|\n");
      report
          .goals()
          .forEach(goal ->
              text.append(
                  String.format(
                      Locale.ROOT,
                      "| %s | %.2f | %s |%n",
                      goal.goal(),
                      goal.reached(),
                      Goal.onPage(goal.finding()))));
      text.append('\n');
    }
    if (!charts.isEmpty()) {
      text.append("## Charts\n\n");
      charts.forEach((file, chart) ->
          text.append("![").append(chart.title()).append("](").append(file).append(")\n"));
      text.append('\n');
    }
    text.append("## Who took part\n\n| | |\n|---|---|\n");
    report
        .participants()
        .forEach(one ->
            text.append("| ")
                .append(one.name())
                .append(" | ")
                .append(one.description())
                .append(" |\n"));
    return text.toString();
  }

  private void allocations(StringBuilder text) {
    if (report.allocations().isEmpty()) {
      return;
    }
    text.append(
        """
        ## What the relay allocates

        Sampled by Java's Flight Recorder, after a warm-up, in relays of which nothing else was measured,
        with the launcher's own settings and `%s`. "Of" is the nearest method of
        Cascade's own, where the allocating one is another's.

        """
            .formatted(AllocationRecording.JAVA_OPTIONS));
    for (AllocationProfile profile : report.allocations()) {
      text.append(capital(profile.described()))
          .append("\n\n| class | allocated by | of | bytes per ")
          .append(profile.unit())
          .append(" | share |\n|---|---|---|---:|---:|\n");
      for (AllocationProfile.Place place : profile.places()) {
        text.append(
            "| `%s` | `%s` | %s | %s | %s |\n"
                .formatted(
                    place.allocated(),
                    place.by(),
                    place.of().isEmpty() ? "" : "`" + place.of() + "`",
                    place.bytesText(),
                    place.shareText()));
      }
      text.append('\n');
    }
  }

  private static void table(StringBuilder text, TrialTable table) {
    List<Metric> metrics = table.metrics();
    text.append("| |");
    metrics.forEach(metric ->
        text.append(' ').append(metric.label()).append(", ").append(metric.unit()).append(" |"));
    text.append("\n|---|").append("---:|".repeat(metrics.size())).append('\n');
    for (Row row : table.rows()) {
      text.append("| ").append(row.contender()).append(" |");
      for (Metric metric : metrics) {
        text.append(' ')
            .append(table.cell(row.contender(), metric).map(TerminalReport::cellText).orElse("–"))
            .append(" |");
      }
      text.append('\n');
    }
    text.append('\n');
  }

  private static void list(StringBuilder text, String heading, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append(heading).append(":\n");
      lines.forEach(line -> text.append("- ").append(line).append('\n'));
      text.append('\n');
    }
  }

  private static String capital(String title) {
    return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
  }
}
