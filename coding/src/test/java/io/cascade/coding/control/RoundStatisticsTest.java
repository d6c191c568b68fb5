package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RoundStatisticsTest {
  private static final long MILLI = 1_000_000;
  private final RoundStatistics round = new RoundStatistics();

  @Test
  void whatArrivesMoreSlowlyThanItWasSentShowsTheBottleneck() {
    round.begin();
    for (int i = 0; i <= 100; i++) {
      round.noteArrived(i, i * MILLI, 2L * i * MILLI);
    }
    assertThat(round.arrivalRate()).isCloseTo(500, within(1e-6));
  }

  @Test
  void whatWasHeldUpAndArrivesAllAtOnceIsToldByHowItWasSent() {
    round.begin();
    for (int i = 0; i <= 100; i++) {
      round.noteArrived(i, i * MILLI, 500 * MILLI + i);
    }
    assertThat(round.sendingRate()).isCloseTo(1_000, within(1e-6));
  }
}
