package io.cascade.relay.junction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which pipe a stream begins on. */
class PipeHistoryTest {
  private long now = 1;
  private final PipeHistory history = new PipeHistory(3, () -> now);

  @Test
  void onePipeAfterTheOtherIsTriedUntilAllAreKnown() {
    assertThat(history.best(_ -> true)).isZero();
    history.answered(0, 500);
    assertThat(history.best(_ -> true)).isEqualTo(1);
    history.answered(1, 900);
    assertThat(history.best(_ -> true)).isEqualTo(2);
    history.answered(2, 700);
    assertThat(history.best(_ -> true)).as("the quickest").isZero();
  }

  @Test
  void aPipeThatFailedIsLeftOutForAWhile() {
    history.answered(0, 1);
    history.answered(1, 2);
    history.answered(2, 3);
    history.failed(0);
    assertThat(history.best(_ -> true)).isEqualTo(1);
    history.failed(1);
    history.failed(2);
    assertThat(history.best(_ -> true)).as("none is better").isZero();
    now += 6_000_000_000L;
    assertThat(history.best(_ -> true)).isZero();
  }

  @Test
  void aPipeThatWorksAgainIsForgiven() {
    history.answered(1, 2);
    history.answered(2, 3);
    history.answered(0, 1);
    history.failed(0);
    history.answered(0, 1);
    assertThat(history.best(_ -> true)).isZero();
  }
}
