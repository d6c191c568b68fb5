package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RoundTripTimeTest {
  private final RoundTripTime rtt = new RoundTripTime();

  @Test
  void startsWithTheFirstSampleAndHalfOfItAsDeviation() {
    rtt.sample(100);
    assertThat(rtt.smoothedNanos()).isEqualTo(100);
    assertThat(rtt.deviationNanos()).isEqualTo(50);
  }

  @Test
  void weighsLaterSamplesAsRfc6298Has() {
    rtt.sample(100);
    rtt.sample(140);
    assertThat(rtt.smoothedNanos()).isEqualTo(105);
    assertThat(rtt.deviationNanos()).isEqualTo(47.5);
  }

  @Test
  void settlesOnASteadyPath() {
    for (int i = 0; i < 200; i++) {
      rtt.sample(i == 0 ? 900 : 64);
    }
    assertThat(rtt.smoothedNanos()).isCloseTo(64, within(0.1));
    assertThat(rtt.deviationNanos()).isCloseTo(0, within(0.1));
  }
}
