package io.cascade.studies.coded;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Valid runs, by their cells. */
final class LabRuns {
  private final Map<LabCell, List<LabRun>> cells = new LinkedHashMap<>();
  private final long failed;

  LabRuns(List<LabRun> runs) {
    this.failed = runs.stream().filter(run -> run.failure() != null).count();
    runs.stream()
        .filter(run -> run.failure() == null)
        .forEach(run -> cells.computeIfAbsent(run.cell(), _ -> new ArrayList<>()).add(run));
  }

  /** Number of runs that failed and do not count. */
  long failed() {
    return failed;
  }

  boolean has(LabCell cell) {
    return cells.containsKey(cell);
  }

  List<LabRun> of(LabCell cell) {
    return cells.getOrDefault(cell, List.of());
  }

  List<LabRun> all(Predicate<LabCell> which) {
    return cells.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }

  List<LabCell> cells(Predicate<LabCell> which) {
    return cells.keySet().stream().filter(which).toList();
  }

  double median(LabCell cell, ToDoubleFunction<LabRun> value) {
    return Sample.median(of(cell).stream().mapToDouble(value).toArray());
  }

  /** The median of a cell's runs with its interval. */
  Estimate estimate(LabCell cell, ToDoubleFunction<LabRun> value) {
    return Estimate.of(sample(cell, value));
  }

  Sample sample(LabCell cell, ToDoubleFunction<LabRun> value) {
    return new Sample(of(cell).stream().map(value::applyAsDouble).toList());
  }

  static boolean isAlone(LabCell cell) {
    return cell.isCoded() && !cell.isShared();
  }
}
