package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueuePeaksTest {
  private final QueuePeaks peaks = new QueuePeaks();

  @Test
  void aQueueThatFallsWithoutUsIsSomebodyElsesCut() {
    assertThat(peaks.note(40, 0)).isFalse();
    assertThat(peaks.note(50, 0)).isFalse();
    assertThat(peaks.note(35, 0)).isTrue();
  }

  @Test
  void aQueueThatFallsAfterOurOwnCutSaysNothingOfOthers() {
    peaks.note(40, 0);
    peaks.note(50, 0);
    peaks.restart();
    assertThat(peaks.note(49, 0)).isFalse();
    assertThat(peaks.note(38, 0)).isFalse();
    assertThat(peaks.note(33, 0)).isFalse();
    assertThat(peaks.note(32, 0)).isFalse();
    assertThat(peaks.note(40, 0)).isFalse();
    assertThat(peaks.note(30, 0)).isTrue();
  }

  @Test
  void aShortQueueThatFallsShowsNobody() {
    assertThat(peaks.note(1, 6)).isFalse();
    assertThat(peaks.note(5, 6)).isFalse();
    assertThat(peaks.note(2, 6)).isFalse();
    assertThat(peaks.note(7, 6)).isFalse();
    assertThat(peaks.note(2, 6)).isTrue();
  }
}
