package io.cascade.studies.bench;

import io.cascade.studies.report.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Measured values by trial, contender and metric, with one value for each round. */
final class RoundValues {
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();

  private record Key(String trial, String contender, Metric metric) {}

  void add(String trial, String contender, Map<Metric, Double> measured) {
    measured.forEach((metric, value) ->
        values
            .computeIfAbsent(new Key(trial, contender, metric), _ -> new ArrayList<>())
            .add(value));
  }

  /** Values in the order of rounds; empty if nothing was measured. */
  List<Double> rounds(String trial, String contender, Metric metric) {
    return Collections.unmodifiableList(
        values.getOrDefault(new Key(trial, contender, metric), List.of()));
  }

  Optional<Sample> summary(String trial, String contender, Metric metric) {
    List<Double> rounds = rounds(trial, contender, metric);
    return rounds.isEmpty() ? Optional.empty() : Optional.of(new Sample(rounds));
  }

  /**
   * Ratio of {@code contender} to {@code other} in each round, since both were measured in the same
   * minute.
   */
  Optional<Sample> ratio(String trial, String contender, String other, Metric metric) {
    List<Double> above = rounds(trial, contender, metric);
    List<Double> below = rounds(trial, other, metric);
    int both = Math.min(above.size(), below.size());
    List<Double> ratios =
        IntStream.range(0, both)
            .mapToObj(i -> above.get(i) / below.get(i))
            .filter(Double::isFinite)
            .toList();
    return ratios.isEmpty() ? Optional.empty() : Optional.of(new Sample(ratios));
  }
}
