package io.cascade.studies.bench;

import io.cascade.studies.report.Sample;
import io.cascade.studies.study.Goal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Result of a run.
 *
 * @param scaling tables with an increasing number of processors
 * @param allocations allocation sites of the relay
 * @param notices contenders that were not measured, and the reasons
 */
record BenchReport(
    Machine machine,
    int rounds,
    double seconds,
    List<Participant> participants,
    List<TrialTable> trials,
    List<Goal> goals,
    List<ScalingTable> scaling,
    List<AllocationProfile> allocations,
    List<String> notices,
    List<String> failures) {
  /** Key of the only result in the file. */
  static final String KEY = "bench";

  /**
   * A participant of the comparison.
   *
   * @param description version and settings
   */
  record Participant(String name, String description) {}

  /**
   * Result of one trial with an increasing number of processors.
   *
   * @param note division of the processors between ends and proxies
   */
  record ScalingTable(String title, String note, List<Row> rows) {
    /** The figures in the form of the other tables, for printing. */
    TrialTable figures() {
      return new TrialTable(title, rows.isEmpty() ? "" : rows.getFirst().contender(), rows);
    }
  }

  /** Result of one trial. */
  record TrialTable(String title, String own, List<Row> rows) {
    Optional<Cell> cell(String contender, Metric metric) {
      return rows.stream()
          .filter(row -> row.contender().equals(contender))
          .flatMap(row -> row.cells().stream())
          .filter(cell -> cell.metric() == metric)
          .findFirst();
    }

    /** Metrics for which at least one row has a value. */
    List<Metric> metrics() {
      return rows.stream()
          .flatMap(row -> row.cells().stream())
          .map(Cell::metric)
          .distinct()
          .sorted()
          .toList();
    }
  }

  /** Values of one contender. */
  record Row(String contender, List<Cell> cells) {}

  /**
   * One metric of one contender.
   *
   * @param ratio median over the rounds of this project's value over this contender's; with several
   *     processors, of this contender's value over its own with one processor; null for the
   *     contender that others are compared with
   */
  record Cell(
      Metric metric,
      String unit,
      double median,
      double low,
      double high,
      @Nullable Double ratio,
      List<Double> rounds) {
    /** Summarises the rounds; empty if nothing was measured. */
    static Optional<Cell> of(
        RoundValues results,
        String trial,
        String contender,
        Metric metric,
        @Nullable Double ratio) {
      return results
          .summary(trial, contender, metric)
          .map(summary ->
              new Cell(
                  metric,
                  metric.unit(),
                  summary.median(),
                  summary.least(),
                  summary.most(),
                  ratio,
                  results.rounds(trial, contender, metric)));
    }

    /**
     * The value in words, such as {@code 0.412 ±3% ×1.20}, with half of the range from lowest to
     * highest.
     */
    String text() {
      double spread = median == 0 ? 0 : (high - low) / 2 / Math.abs(median);
      String value = String.format(Locale.ROOT, "%s ±%.0f%%", metric.format(median), spread * 100);
      return ratio == null ? value : value + String.format(Locale.ROOT, " ×%.2f", ratio);
    }
  }

  static BenchReport of(
      Machine machine,
      int rounds,
      double seconds,
      List<SideBySide> comparisons,
      List<Scaling> scalings,
      List<AllocationProfile> allocations,
      BenchRun run)
      throws IOException, InterruptedException {
    RoundValues results = run.results();
    List<Participant> participants = new ArrayList<>();
    List<TrialTable> tables = new ArrayList<>();
    List<Goal> goals = new ArrayList<>();
    for (SideBySide comparison : comparisons) {
      for (BenchContender contender : comparison.contenders()) {
        participants.add(new Participant(contender.name(), contender.description()));
      }
      for (Trial trial : comparison.trials()) {
        TrialTable table = table(comparison, trial, results);
        if (!table.rows().isEmpty()) {
          tables.add(table);
        }
        for (RelayGoal goal : comparison.goals(trial)) {
          goal.judge(results).ifPresent(goals::add);
        }
      }
    }
    for (Scaling scaling : scalings) {
      for (BenchContender contender : scaling.contenders()) {
        participants.add(new Participant(contender.name(), contender.description()));
      }
    }
    return new BenchReport(
        machine,
        rounds,
        seconds,
        participants.stream().distinct().toList(),
        tables,
        goals,
        scalings.stream()
            .map(scaling -> scaling.table(results))
            .filter(table -> !table.rows().isEmpty())
            .toList(),
        allocations,
        run.notices(),
        run.failures());
  }

  private static TrialTable table(SideBySide comparison, Trial trial, RoundValues results) {
    String title = comparison.title(trial);
    List<Row> rows = new ArrayList<>();
    for (BenchContender contender : comparison.contenders()) {
      List<Cell> cells = new ArrayList<>();
      for (Metric metric : trial.metrics()) {
        Double ratio =
            contender.name().equals(comparison.own())
                ? null
                : results
                    .ratio(title, comparison.own(), contender.name(), metric)
                    .map(Sample::median)
                    .orElse(null);
        Cell.of(results, title, contender.name(), metric, ratio).ifPresent(cells::add);
      }
      if (!cells.isEmpty()) {
        rows.add(new Row(contender.name(), cells));
      }
    }
    return new TrialTable(title, comparison.own(), rows);
  }
}
