package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

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

  /**
   * Cuts of a window of 40 packets in rounds without any loss.
   *
   * @param arrived packets in a round, by the window
   */
  private int cuts(DoubleToIntFunction arrived) {
    double window = 40;
    compete.begin(window, 0);
    int cuts = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      long now = (long) (round * (ROUND_TRIP + QUEUE));
      window = compete.round(window, signals(arrived.applyAsInt(window)), now);
      cuts += compete.hasCut() ? 1 : 0;
    }
    return cuts;
  }

  private static CompeteMode.Signals signals(int arrived) {
    return new CompeteMode.Signals(
        QUEUE,
        QUEUE,
        ROUND_TRIP / 8,
        ROUND_TRIP / 25,
        arrived,
        false,
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
