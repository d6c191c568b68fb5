package io.cascade.orchestrator.statistics;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Things of one kind, counted by their state, for metrics. */
public interface StateCounts {
  /** Their name in the series {@code cascade_orchestrator_NAME}, in the plural. */
  String name();

  /** Counts by state; states that nothing is in among them, so that their series stays. */
  Map<String, Long> byState();

  /** Counts of what is either up or in one other state. */
  static <T> Map<String, Long> upOr(String other, List<T> all, Predicate<T> isOther) {
    long others = all.stream().filter(isOther).count();
    return Map.of("up", all.size() - others, other, others);
  }
}
