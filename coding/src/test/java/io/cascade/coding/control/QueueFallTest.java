package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class QueueFallTest {
  private static final double TARGET = 6;
  private final QueueFall fall = new QueueFall();

  @Test
  void isWatchedForTwoMoreRoundsFromItsTopOn() {
    fall.fromTop(100, 80, false);
    assertThat(fall.round(60, false, false)).isFalse();
    assertThat(fall.isWatched()).isTrue();
    assertThat(fall.round(70, false, false)).isTrue();
    assertThat(fall.isWatched()).isFalse();

    assertThat(fall.hasFallen(TARGET)).isTrue();
    assertThat(fall.depth(100)).as("40 of a round trip of 200").isCloseTo(0.2, within(1e-9));
  }

  @Test
  void aQueueThatStaysLongAfterALossHasNotFallen() {
    fall.fromLoss(100, 100);
    assertThat(fall.round(98, true, false)).isFalse();
    assertThat(fall.round(96, false, false)).isFalse();
    assertThat(fall.round(97, true, false)).isTrue();

    assertThat(fall.hasFallen(TARGET)).isFalse();
    assertThat(fall.isLossy()).isTrue();
    assertThat(fall.lossesWentOn()).isTrue();
  }

  @Test
  void aQueueOfOursAloneShowsNobody() {
    fall.fromTop(5, 2, false);
    fall.round(1, false, false);

    assertThat(fall.hasFallen(TARGET)).isFalse();
  }

  @Test
  void endsAtOnceWhereFarMoreIsLost() {
    fall.fromLoss(100, 100);

    assertThat(fall.round(100, true, true)).isTrue();
  }

  @Test
  void knowsHowMuchTheWindowHasGrownSinceTheTop() {
    fall.reset(100);
    fall.note(100);
    fall.note(112);
    fall.note(126);
    fall.fromTop(50, 40, false);

    assertThat(fall.growth(126)).isCloseTo(1.26, within(1e-9));
  }
}
