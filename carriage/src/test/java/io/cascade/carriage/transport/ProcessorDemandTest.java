package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ProcessorDemandTest {
  /** The scheduler brings its counts up to date at its ticks, of which there are 100 a second. */
  private static final long TICK_NANOS = 10_000_000;

  @Test
  void isAtLeastWhatTheThreadGotAndAtMostTheTimeThatWentBy() {
    try (ProcessorDemand demand = new ProcessorDemand()) {
      long before = demand.nanos();
      assumeTrue(before != ProcessorDemand.UNKNOWN, "this kernel does not count");
      long began = System.nanoTime();
      long hadBefore = processorNanos();
      while (processorNanos() - hadBefore < 10 * TICK_NANOS) {
        Thread.onSpinWait();
      }
      long grown = demand.nanos() - before;
      assertThat(grown)
          .isGreaterThanOrEqualTo(9 * TICK_NANOS)
          .isLessThanOrEqualTo(System.nanoTime() - began + TICK_NANOS);
    }
  }

  @Test
  void isUnknownOnceItIsClosed() {
    ProcessorDemand demand = new ProcessorDemand();
    long ignored = demand.nanos();
    demand.close();
    assertThat(demand.nanos()).isEqualTo(ProcessorDemand.UNKNOWN);
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
