package io.cascade.relay.control;

import com.sun.management.OperatingSystemMXBean;
import io.cascade.api.relay.ProcessTotals;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

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
        .processorSeconds(processorSeconds())
        .processors(Runtime.getRuntime().availableProcessors())
        .build();
  }

  /** From the counters of the kernel alone: {@link ProcessHandle#info} looks up a user's name. */
  private static @Nullable Double processorSeconds() {
    long nanos =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime()
            : -1;
    return nanos < 0 ? null : nanos / 1e9;
  }
}
