package io.cascade.relay.control;

import com.sun.management.OperatingSystemMXBean;
import io.cascade.api.relay.ProcessTotals;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Resources that this process has used since it started. */
final class ProcessUse {
  private ProcessUse() {}

  /**
   * Returns the current totals.
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

  /** Reads the kernel's counters only: {@link ProcessHandle#info} would look up a user's name. */
  private static @Nullable Double processorSeconds() {
    long nanos =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime()
            : -1;
    return nanos < 0 ? null : nanos / 1e9;
  }
}
