package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TestLengthTest {
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  @Test
  void testsOfTwentyRoundTripsTellOfAnyTransfer() {
    TestLength twenty = new TestLength(1_000, 1, 0.05);
    assertThat(twenty.tellsOf(UNKNOWN)).isTrue();
    assertThat(twenty.tellsOf(OptionalLong.of(Long.MAX_VALUE))).isTrue();

    TestLength fewer = new TestLength(1_000, 0.99, 0.05);
    assertThat(fewer.tellsOf(UNKNOWN)).isFalse();
    assertThat(fewer.tellsOf(OptionalLong.of(8_000))).isTrue();
    assertThat(fewer.tellsOf(OptionalLong.of(8_001))).isFalse();
  }

  @Test
  void anUnknownRoundTripTellsNothing() {
    assertThat(new TestLength(1_000, 4, 0).tellsOf(UNKNOWN)).isFalse();
  }

  @Test
  void theShortestTestAndTheLongestRoundTripCount() {
    TestLength both = new TestLength(1_000, 1, 0.01).and(new TestLength(2_000, 0.5, 0.02));
    assertThat(both).isEqualTo(new TestLength(2_000, 0.5, 0.02));
  }

  @Test
  void itSaysOfHowMuchItTells() {
    assertThat(new TestLength(131_072, 1, 1).words())
        .isEqualTo("Compared over 128 KiB only: a longer transfer may differ.");
    assertThat(new TestLength(4 << 20, 1, 1).words()).contains("over 4.0 MiB only");
  }
}
