package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleTimerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void aHalfClosedStreamWhoseClientSentNothingStaysForMinutes() {
    assertThat(IdleTimer.halfCloseTimeout(HOUR, false)).isEqualTo(Duration.ofMinutes(5));
    assertThat(IdleTimer.halfCloseTimeout(HOUR, true)).isEqualTo(HOUR);
  }

  @Test
  void lessThanThatIsAsTheChainSays() {
    assertThat(IdleTimer.halfCloseTimeout(Duration.ofSeconds(1), false)).hasSeconds(1);
    assertThat(IdleTimer.halfCloseTimeout(Duration.ZERO, false)).as("any time").isZero();
  }
}
