package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RoundStatisticsTest {
  private static final long MILLI = 1_000_000;
  private final RoundStatistics round = new RoundStatistics();

  @Test
  void whatArrivesMoreSlowlyThanItWasSentShowsTheBottleneck() {
    round.begin(0);
    for (int i = 0; i <= 100; i++) {
      round.noteArrived(i, i * MILLI, 2L * i * MILLI);
    }
    assertThat(round.arrivalRate()).isCloseTo(500, within(1e-6));
  }

  @Test
  void whatWasHeldUpAndArrivesAllAtOnceIsToldByHowItWasSent() {
    round.begin(0);
    for (int i = 0; i <= 100; i++) {
      round.noteArrived(i, i * MILLI, 500 * MILLI + i);
    }
    assertThat(round.sendingRate()).isCloseTo(1_000, within(1e-6));
  }

  /** 32 packets each 4 ms, which is 8,000 a second. */
  @Test
  void packetsThatArriveInTrainsTellTheRateOfTheTrains() {
    round.begin(MILLI);
    for (int i = 0; i < 128; i++) {
      round.noteArrived(i, i * MILLI / 8, (i / 32) * (4 * MILLI));
    }
    assertThat(round.arrivalRate()).isCloseTo(8_000, within(1e-6));
  }
}
