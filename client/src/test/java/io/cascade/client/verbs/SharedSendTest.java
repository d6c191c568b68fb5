package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SharedSendTest {

  @Test
  void aShortTransferDoesNotWaitForTestsAndALongOneAsLongAsAPlan() {
    assertThat(SharedSend.measureSeconds(1_000_000)).isCloseTo(0.04, within(1e-9));
    assertThat(SharedSend.measureSeconds(25_000_000)).isCloseTo(1, within(1e-9));
    assertThat(SharedSend.measureSeconds(10_000_000_000L)).isEqualTo(PathOptions.MEASURE_SECONDS);
  }
}
