package io.cascade.orchestrator.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.leadership.LeadershipState.Sign;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every sign in every state. */
class LeadershipStateTest {
  @ParameterizedTest
  @CsvSource({
    "STANDBY, LEADING, STANDBY, STANDBY, STANDBY, ENDED",
    "LEADING, LEADING, FENCED, FENCED, STANDBY, ENDED",
    "FENCED, FENCED, FENCED, FENCED, STANDBY, ENDED",
    "ENDED, ENDED, ENDED, ENDED, ENDED, ENDED"
  })
  void moves(
      LeadershipState from,
      LeadershipState taken,
      LeadershipState refused,
      LeadershipState expired,
      LeadershipState stoodDown,
      LeadershipState closed) {
    assertThat(Sign.values())
        .extracting(from::after)
        .containsExactly(taken, refused, expired, stoodDown, closed);
  }
}
