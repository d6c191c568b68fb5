package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueuePeaksTest {
  private final QueuePeaks peaks = new QueuePeaks();

  @Test
  void aQueueThatFallsWithoutUsIsSomebodyElsesCut() {
    assertThat(peaks.note(40)).isFalse();
    assertThat(peaks.note(50)).isFalse();
    assertThat(peaks.note(35)).isTrue();
  }

  @Test
  void aQueueThatFallsAfterOurOwnCutSaysNothingOfOthers() {
    peaks.note(40);
    peaks.note(50);
    peaks.restart();
    assertThat(peaks.note(49)).isFalse();
    assertThat(peaks.note(38)).isFalse();
    assertThat(peaks.note(33)).isFalse();
    assertThat(peaks.note(32)).isFalse();
    assertThat(peaks.note(40)).isFalse();
    assertThat(peaks.note(30)).isTrue();
  }
}
