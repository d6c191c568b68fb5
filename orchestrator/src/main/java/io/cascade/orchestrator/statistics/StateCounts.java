package io.cascade.orchestrator.statistics;

import java.util.Map;

/** Things of one kind, counted by their state, for metrics. */
public interface StateCounts {
  /** Their name in the series {@code cascade_orchestrator_NAME}, in the plural. */
  String name();

  /** Counts by state; states that nothing is in among them, so that their series stays. */
  Map<String, Long> byState();
}
