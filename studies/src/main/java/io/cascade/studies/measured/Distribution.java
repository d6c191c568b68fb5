package io.cascade.studies.measured;

import io.cascade.charts.Line;
import io.cascade.studies.report.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Distribution of values over many paths. */
final class Distribution {
  private Distribution() {}

  /** The empirical distribution function in percent; empty without a finite value. */
  static <T> Optional<Line> line(String name, List<T> all, ToDoubleFunction<T> value) {
    List<Double> values =
        all.stream().mapToDouble(value).filter(Double::isFinite).sorted().boxed().toList();
    if (values.isEmpty()) {
      return Optional.empty();
    }
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      shares.add(100.0 * (i + 1) / values.size());
    }
    return Optional.of(Line.solid(name, values, shares));
  }

  /** The median; NaN without a value. */
  static <T> double median(List<T> all, ToDoubleFunction<T> value) {
    return Sample.median(
        all.stream().mapToDouble(value).filter(one -> !Double.isNaN(one)).toArray());
  }
}
