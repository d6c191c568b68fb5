package io.cascade.carriage.transport;

import static io.cascade.carriage.transport.LossResponse.Change.GIVE_BACK;
import static io.cascade.carriage.transport.LossResponse.Change.NONE;
import static io.cascade.carriage.transport.LossResponse.Change.TAKE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.LossResponse.Change;
import io.cascade.carriage.transport.LossResponse.State;
import org.junit.jupiter.api.Test;

/** When a connection is to have BBR, by what its kernel counts. */
class LossResponseTest {
  private static final long ROUND_TRIP = 200_000;
  private static final long QUEUED = 2 * ROUND_TRIP;
  private static final long EARLY = 100_000;
  private static final long LATE = 10 * ROUND_TRIP + 1;

  private final LossResponse own = LossResponse.ofOwn();
  private final LossResponse beginning = LossResponse.ofBeginning();

  @Test
  void withoutLossesNothingChanges() {
    assertThat(look(own, 0, ROUND_TRIP, LATE)).isEqualTo(NONE);
    assertThat(own.state()).isEqualTo(State.OWN);
  }

  @Test
  void lossesWithoutAQueueCallForBbrOnceAndForAll() {
    assertThat(look(own, 1, ROUND_TRIP + 20_000, EARLY)).as("one may be by chance").isEqualTo(NONE);
    assertThat(look(own, 1, ROUND_TRIP, EARLY)).as("no other one").isEqualTo(NONE);
    assertThat(look(own, 2, ROUND_TRIP, EARLY)).isEqualTo(TAKE);
    assertThat(look(own, 3, ROUND_TRIP, EARLY)).as("again").isEqualTo(NONE);
    assertThat(look(own, 4, QUEUED, LATE)).as("behind a queue").isEqualTo(NONE);
    assertThat(own.state()).isEqualTo(State.CALLED_FOR);
  }

  @Test
  void lossesBehindAStandingQueueDoNot() {
    for (int loss = 1; loss < 10; loss++) {
      assertThat(look(own, loss, QUEUED, EARLY)).isEqualTo(NONE);
    }
  }

  /** Its losses are counted when everybody has slowed down already. */
  @Test
  void aQueueThatOverflowedStillExplainsTheLossesThatFollow() {
    assertThat(look(own, 0, QUEUED, EARLY)).isEqualTo(NONE);
    assertThat(look(own, 3, ROUND_TRIP, EARLY + ROUND_TRIP)).isEqualTo(NONE);
    assertThat(look(own, 5, ROUND_TRIP, EARLY + 3 * ROUND_TRIP)).isEqualTo(NONE);

    long gone = EARLY + 6 * ROUND_TRIP;
    assertThat(look(own, 6, ROUND_TRIP, gone)).isEqualTo(NONE);
    assertThat(look(own, 7, ROUND_TRIP, gone)).as("later losses").isEqualTo(TAKE);
  }

  @Test
  void aQueueBetweenTwoLossesTakesBackWhatTheFirstOneSaid() {
    assertThat(look(own, 1, ROUND_TRIP, EARLY)).isEqualTo(NONE);
    assertThat(look(own, 2, QUEUED, EARLY)).isEqualTo(NONE);
    long gone = EARLY + 6 * ROUND_TRIP;
    assertThat(look(own, 3, ROUND_TRIP, gone)).isEqualTo(NONE);
  }

  @Test
  void aBeginningKeepsBbrWhereLossesCallForIt() {
    assertThat(look(beginning, 1, ROUND_TRIP, EARLY)).isEqualTo(NONE);
    assertThat(look(beginning, 2, ROUND_TRIP, EARLY)).isEqualTo(NONE);
    assertThat(beginning.state()).isEqualTo(State.CALLED_FOR);
    assertThat(look(beginning, 2, ROUND_TRIP, LATE)).isEqualTo(NONE);
  }

  @Test
  void aBeginningGivesItBackAfterTenRoundTripsWhereNothingDoes() {
    assertThat(look(beginning, 2, QUEUED, EARLY)).isEqualTo(NONE);
    assertThat(look(beginning, 2, ROUND_TRIP, LATE)).isEqualTo(GIVE_BACK);
    assertThat(beginning.state()).isEqualTo(State.OWN);
    assertThat(look(beginning, 3, ROUND_TRIP, LATE)).isEqualTo(NONE);
    assertThat(look(beginning, 4, ROUND_TRIP, LATE)).as("later losses").isEqualTo(TAKE);
  }

  @Test
  void aShortRoundTripGrowsByTwoMillisecondsWithoutAQueue() {
    assertThat(own.look(1, 2_900, 1_000, EARLY)).isEqualTo(NONE);
    assertThat(own.look(2, 2_900, 1_000, EARLY)).isEqualTo(TAKE);
  }

  @Test
  void frequentLossesCallForBbrWhereAQueueStandsSeldom() {
    assertThat(looksUntilTaken(own, 5)).as("one in five finds a queue").isEqualTo(40);
  }

  @Test
  void frequentLossesDoNotWhereAQueueStandsAThirdOfTheTime() {
    assertThat(looksUntilTaken(own, 3)).isEqualTo(Integer.MAX_VALUE);
  }

  /** Every other look finds a loss, one of some a queue, never two losses in a row without one. */
  private static int looksUntilTaken(LossResponse response, int queueEvery) {
    for (int look = 1; look <= 400; look++) {
      long queue = look % queueEvery == 1 ? QUEUED : ROUND_TRIP;
      if (look(response, look / 2, queue, look * ROUND_TRIP / 2) == TAKE) {
        return look;
      }
    }
    return Integer.MAX_VALUE;
  }

  @Test
  void nothingIsConcludedWhereNoRoundTripIsKnown() {
    assertThat(own.look(1, ROUND_TRIP, 0, EARLY)).isEqualTo(NONE);
    assertThat(beginning.look(0, 0, 0, LATE)).isEqualTo(NONE);
  }

  private static Change look(LossResponse response, long retransmitted, long rtt, long age) {
    return response.look(retransmitted, rtt, ROUND_TRIP, age);
  }
}
