package io.cascade.orchestrator.statistics;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Objects of one kind, counted by state, for metrics. */
public interface StateCounts {
  /** Their name in the series {@code cascade_orchestrator_NAME}, in the plural. */
  String name();

  /** Counts by state, including states with a count of 0, so that their series continue. */
  Map<String, Long> byState();

  /** Counts of objects that are either up or in one other state. */
  static <T> Map<String, Long> upOr(String other, List<T> all, Predicate<T> isOther) {
    long others = all.stream().filter(isOther).count();
    return Map.of("up", all.size() - others, other, others);
  }
}
