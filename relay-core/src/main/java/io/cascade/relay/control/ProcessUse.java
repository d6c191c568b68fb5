package io.cascade.relay.control;

import io.cascade.api.relay.ProcessTotals;
import java.time.Duration;

/** What this process has taken of its host since it started. */
final class ProcessUse {
  private ProcessUse() {}

  /**
   * The totals of this moment.
   *
   * @param uptimeSeconds since the relay started
   */
  static ProcessTotals after(double uptimeSeconds) {
    return ProcessTotals.builder()
        .uptimeSeconds(uptimeSeconds)
        .processorSeconds(
            ProcessHandle.current().info().totalCpuDuration().map(ProcessUse::seconds).orElse(null))
        .processors(Runtime.getRuntime().availableProcessors())
        .build();
  }

  private static Double seconds(Duration processorTime) {
    return processorTime.toNanos() / 1e9;
  }
}
