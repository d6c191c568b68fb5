package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.DoubleToIntFunction;
import org.junit.jupiter.api.Test;

class CompeteModeTest {
  private static final double MILLI = 1e6;
  private static final double ROUND_TRIP = 50 * MILLI;
  private static final double QUEUE = 60 * MILLI;
  private static final int ROUNDS = 40; // Before the first probe.

  private final CompeteMode compete = new CompeteMode();

  /** A small window beside others that fill the queue hardly makes it longer. */
  @Test
  void aWindowThatBringsMoreIsNotCutForAQueueThatStaysTheSame() {
    assertThat(cuts(window -> (int) window)).isZero();
  }

  @Test
  void aWindowThatBringsNoMoreIsCutForAQueueThatStaysTheSame() {
    assertThat(cuts(_ -> 40)).isPositive();
  }

  /** Of a path that loses anyway, a loss now and then at which no queue falls is chance. */
  @Test
  void lossesFarApartAtWhichNobodyMakesRoomAreExcused() {
    assertThat(cuts(window -> (int) window, 3, 30)).isZero();
  }

  @Test
  void aLossSoonAfterAnExcusedOneIsAFullQueues() {
    assertThat(cuts(window -> (int) window, 3, 10)).isEqualTo(1);
  }

  @Test
  void lossesThatGoOnAreNotExcused() {
    assertThat(cuts(window -> (int) window, 3, 4, 5)).isEqualTo(1);
  }

  /**
   * Cuts of a window of 40 packets.
   *
   * @param arrived packets in a round, by the window
   * @param lossy rounds in which more was lost than the path loses anyway
   */
  private int cuts(DoubleToIntFunction arrived, Integer... lossy) {
    double window = 40;
    compete.begin(window, 0);
    int cuts = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      long now = (long) (round * (ROUND_TRIP + QUEUE));
      boolean isLoss = List.of(lossy).contains(round);
      window = compete.round(window, signals(arrived.applyAsInt(window), isLoss), now);
      cuts += compete.hasCut() ? 1 : 0;
    }
    return cuts;
  }

  private static CompeteMode.Signals signals(int arrived, boolean isLoss) {
    return new CompeteMode.Signals(
        QUEUE,
        QUEUE,
        ROUND_TRIP / 8,
        ROUND_TRIP / 25,
        arrived,
        isLoss,
        false,
        true,
        true,
        ROUND_TRIP,
        (ROUND_TRIP + QUEUE) / 1e9,
        1_000,
        1_000,
        0,
        true);
  }
}
