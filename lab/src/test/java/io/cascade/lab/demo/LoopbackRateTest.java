package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;

class LoopbackRateTest {
  @RepeatedTest(3)
  void loopbackHasARate() throws Exception {
    assertThat(LoopbackRate.measure()).isGreaterThan(10_000_000L);
  }
}
