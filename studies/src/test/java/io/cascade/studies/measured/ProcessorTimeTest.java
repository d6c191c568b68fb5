package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
  @Test
  void isBusyInAllButIdleTimeWaitsForDisksAndNicedProcesses() {
    ProcessorTime before = ProcessorTime.parse("cpu  10 0 10 70 10 0 0 0 5 5");
    ProcessorTime after = ProcessorTime.parse("cpu  30 20 20 100 20 0 5 5 9 9");

    assertThat(before).isEqualTo(new ProcessorTime(20, 100));
    assertThat(after.busySince(before)).isCloseTo(40 / 100.0, within(1e-9));
    assertThat(after.busySince(after)).isZero();
  }
}
