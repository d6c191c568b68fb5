package io.cascade.model.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.model.calibration.Outcome.Lesson;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  /** 100 MB in 80 s: 10 Mbit/s. */
  private static final long BYTES = 100_000_000;

  @Test
  void theHopThatHeldTheStreamBackIsTheOneToLearnOf() {
    assertThat(outcome(80, OptionalInt.of(1), 100e6, 20e6, 15e6).lessons())
        .containsExactly(new Lesson(1, 0.5));
  }

  @Test
  void whereNoHopHeldItBackASlowStreamTeachesNothing() {
    assertThat(outcome(80, OptionalInt.empty(), 100e6, 20e6).lessons()).isEmpty();
  }

  @Test
  void whatArrivedHadPassedEveryHop() {
    assertThat(outcome(80, OptionalInt.empty(), 100e6, 5e6, 8e6).lessons())
        .containsExactly(new Lesson(1, 2), new Lesson(2, 1.25));
  }

  @Test
  void aHopThatNothingKnownLimitsCannotBeWrong() {
    assertThat(outcome(80, OptionalInt.of(0), Double.POSITIVE_INFINITY).lessons()).isEmpty();
  }

  @Test
  void shortTransfersTeachNothing() {
    assertThat(new Outcome(1 << 20, 80, List.of(5e3), 0, OptionalInt.empty()).lessons()).isEmpty();
    assertThat(new Outcome(BYTES, 1.5, List.of(5e3), 0, OptionalInt.empty()).lessons()).isEmpty();
    assertThat(new Outcome(BYTES, 80, List.of(5e3), 9, OptionalInt.empty()).lessons()).isEmpty();
  }

  @Test
  void theStartIsNotCounted() {
    assertThat(new Outcome(BYTES, 88, List.of(5e6), 8, OptionalInt.empty()).lessons())
        .containsExactly(new Lesson(0, 2));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> outcome(80, OptionalInt.of(1), 1)).hasMessageContaining("limiting");
    assertThatThrownBy(() -> outcome(80, OptionalInt.empty())).hasMessageContaining("hops");
  }

  private static Outcome outcome(double seconds, OptionalInt limiting, double... hops) {
    return new Outcome(BYTES, seconds, java.util.Arrays.stream(hops).boxed().toList(), 0, limiting);
  }
}
