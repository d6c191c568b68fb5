package io.cascade.studies.bench;

import io.cascade.studies.bench.BenchReport.Cell;
import io.cascade.studies.bench.BenchReport.Row;
import io.cascade.studies.bench.BenchReport.ScalingTable;
import io.cascade.studies.report.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * A load on proxies with one processor, and on the same proxies with more.
 *
 * @param metrics that are reported, each with its ratio to one processor
 */
record Scaling(Cores cores, Trial trial, List<Metric> metrics, List<OnProcessors> contenders) {
  /** The comparison to run. */
  SideBySide comparison() {
    return new SideBySide("cores", List.copyOf(contenders), List.of(trial));
  }

  ScalingTable table(RoundValues results) {
    String title = comparison().title(trial);
    List<Row> rows = new ArrayList<>();
    for (OnProcessors contender : contenders) {
      List<Cell> cells = new ArrayList<>();
      for (Metric metric : metrics) {
        Double ratio =
            contender.count() == 1
                ? null
                : results
                    .ratio(title, contender.name(), contender.nameOn(1), metric)
                    .map(Sample::median)
                    .orElse(null);
        Cell.of(results, title, contender.name(), metric, ratio).ifPresent(cells::add);
      }
      if (!cells.isEmpty()) {
        rows.add(new Row(contender.name(), cells));
      }
    }
    return new ScalingTable(title, cores.described(), rows);
  }
}
