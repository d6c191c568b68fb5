package io.cascade.relay.probe;

import static io.cascade.relay.probe.SequenceWindow.Place.NEW;
import static io.cascade.relay.probe.SequenceWindow.Place.REPEATED;
import static io.cascade.relay.probe.SequenceWindow.Place.TOO_OLD;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceWindowTest {
  private final SequenceWindow window = new SequenceWindow();

  @Test
  void tellsNewNumbersFromRepeatedAndOldOnes() {
    assertThat(window.mark(1_000)).isEqualTo(NEW);
    assertThat(window.mark(1_000)).isEqualTo(REPEATED);
    assertThat(window.mark(1_002)).isEqualTo(NEW);
    assertThat(window.mark(1_001)).isEqualTo(NEW);
    assertThat(window.mark(1_001)).isEqualTo(REPEATED);
    assertThat(window.mark(1_002 - SequenceWindow.SIZE)).isEqualTo(TOO_OLD);
  }

  @Test
  void forgetsNumbersThatFallBehindTheWindow() {
    window.mark(3);
    window.mark(3 + SequenceWindow.SIZE);
    assertThat(window.mark(4)).isEqualTo(NEW);
    window.mark(10_000);
    assertThat(window.mark(10_000 - SequenceWindow.SIZE + 4)).isEqualTo(NEW);
  }

  @Test
  void goesOnWhenNumbersWrap() {
    assertThat(window.mark(Integer.MAX_VALUE)).isEqualTo(NEW);
    assertThat(window.mark(Integer.MIN_VALUE + 1)).isEqualTo(NEW);
    assertThat(window.takeUnseenBetween(Integer.MAX_VALUE, Integer.MIN_VALUE + 1)).isEqualTo(1);
  }

  @Test
  void takesEveryUnseenNumberOnce() {
    window.mark(0);
    window.mark(2);
    window.mark(5);
    assertThat(window.takeUnseenBetween(0, 5)).isEqualTo(3);
    assertThat(window.takeUnseenBetween(0, 5)).isZero();
  }

  @Test
  void countsNumbersBehindTheWindowAsUnseen() {
    window.mark(10);
    window.mark(10 + 3 * SequenceWindow.SIZE);
    assertThat(window.takeUnseenBetween(10, 10 + 3 * SequenceWindow.SIZE))
        .isEqualTo(3 * SequenceWindow.SIZE - 1);
  }

  @Test
  void hasNothingBetweenNumbersThatAreNotInOrder() {
    window.mark(7);
    assertThat(window.takeUnseenBetween(7, 7)).isZero();
    assertThat(window.takeUnseenBetween(7, 3)).isZero();
  }
}
