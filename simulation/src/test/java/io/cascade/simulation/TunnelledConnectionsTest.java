package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.queue.QueueLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reno through a tunnel over lossy links, as in the TCP/NC tunnel's Figure 6. */
class TunnelledConnectionsTest {
  private static final long SECOND = 1_000_000_000;
  private static final int WARM_UP_SECONDS = 6;
  private static final int SECONDS = 20;
  private static final int PAYLOAD_BITS = 948 * 8;

  /**
   * Three connections through two sessions. The links carry 0.89 Mbit/s for each, without what they
   * lose.
   */
  @ParameterizedTest
  @CsvSource({"0.0, 0.77", "0.1, 0.64", "0.2, 0.54"})
  void connectionsGetMostOfWhatLossyLinksCarry(double loss, double leastMegabits) {
    TunnelledConnections tunnel =
        new TunnelledConnections(
            List.of(
                TunnelledConnections.middle(Duration.ofMillis(10)),
                TunnelledConnections.middle(Duration.ofMillis(10))),
            loss,
            3,
            QueueLimits.USUAL,
            100);

    assertThat(megabitsOfEach(tunnel, 3)).isBetween(leastMegabits, 0.89);
    assertThat(tunnel.far())
        .allSatisfy(end ->
            assertThat(end.datagrams().late())
                .as("packets that were no longer waited for")
                .isLessThan(end.datagrams().received() / 200));
  }

  /**
   * Connections through one session over both links, each of which loses 30 %: 51 % together, of
   * which no more than 0.44 Mbit/s for each of three are left.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.90", "3, 0.34", "4, 0.25"})
  void halfOfThePacketsMayBeLost(int sessions, double leastMegabits) {
    double sum = 0;
    for (int seed = 100; seed <= 300; seed += 100) {
      TunnelledConnections tunnel =
          new TunnelledConnections(
              List.of(TunnelledConnections.middle(Duration.ofMillis(20))),
              0.51,
              sessions,
              QueueLimits.USUAL,
              seed);
      sum += megabitsOfEach(tunnel, sessions);
    }
    assertThat(sum / 3).isGreaterThan(leastMegabits);
  }

  /** Payload of a connection, after a while. */
  private static double megabitsOfEach(TunnelledConnections tunnel, int sessions) {
    tunnel.runUntil(WARM_UP_SECONDS * SECOND);
    long before = tunnel.received();
    tunnel.runUntil((WARM_UP_SECONDS + SECONDS) * SECOND);
    return (tunnel.received() - before) * PAYLOAD_BITS / 1e6 / SECONDS / sessions;
  }
}
