package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Transfers over two connections of loss-based senders, a direct one and a later one through
 * relays, that leave through the same queue. In virtual time.
 */
class SharedBottleneckTest {
  /** The direct way begins so much earlier, as a plan and a chain take. */
  private static final double JOIN_SECONDS = 1.5;

  /** What finding out may cost, as a factor of the time. */
  private static final double TRIALS = 1.01;

  /**
   * Rate of the client's own link, size of the file, then of either way the round trip of the first
   * hop, what the rest of the way adds, and the loss behind the client's link.
   */
  @ParameterizedTest
  @CsvSource({
    "87, 12500000, 200, 0, 0.00035, 34, 200, 0.00005",
    "38.8, 8600000, 48, 0, 0.00324, 26, 40, 0.0012",
    "27.7, 22600000, 45, 0, 0.0006, 23, 23, 0.0006",
    "50, 60000000, 160, 0, 0.002, 40, 120, 0.0002",
    "20, 30000000, 100, 0, 0.0002, 25, 75, 0.0002",
  })
  void relaysThatThePlanIsCertainOfLoseNothingToTheDirectWay(
      double megabits,
      long bytes,
      double directMillis,
      double directBehindMillis,
      double directLoss,
      double relayedMillis,
      double relayedBehindMillis,
      double relayedLoss) {
    var direct = new SharedBottleneck.Way(directMillis, directBehindMillis, directLoss, 0);
    var relayed =
        new SharedBottleneck.Way(relayedMillis, relayedBehindMillis, relayedLoss, JOIN_SECONDS);

    double both = mean(megabits, bytes, true, direct, relayed);

    double alone = mean(megabits, bytes, false, relayed);
    assertThat(both).isLessThan(TRIALS * (JOIN_SECONDS + alone));
  }

  private static double mean(
      double megabits, long bytes, boolean preferred, SharedBottleneck.Way... ways) {
    double sum = 0;
    for (int seed = 1; seed <= 5; seed++) {
      sum += new SharedBottleneck(megabits, bytes, preferred, seed, ways).seconds();
    }
    return sum / 5;
  }
}
