package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a chain's first relay counts becomes what is known of its destination. */
class ChainDestinationsTest {
  private static final UUID CHAIN = UUID.randomUUID();
  private static final RouteHops ROUTE = RouteHops.cascade(List.of("den", "sea"), HopTransport.TCP);
  private static final long MIB = 1 << 20;

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final List<String> told = new ArrayList<>();
  private final ChainDestinations destinations =
      new ChainDestinations(
          (route, to, streams, bytes, rate) ->
              told.add(route.relays() + " " + to + " " + streams + " " + bytes + " " + rate),
          time.timekeeper());

  @Test
  void whatGrewBetweenTwoLooksIsToldWithItsRate() {
    look("den", 1, 1, 0, MIB);
    time.pass(Duration.ofSeconds(8));
    look("den", 1, 3, MIB, 9 * MIB);

    assertThat(told)
        .containsExactly(
            "[den, sea] db:5432 1 1048576 0.0", "[den, sea] db:5432 2 9437184 8388608.0");
  }

  @Test
  void aStreamThatIsShorterThanTheTimeBetweenLooksHasTheRateOfItsOwnLife() {
    look("den", 0, 1, 0, 0, 3);
    time.pass(Duration.ofSeconds(8));
    look("den", 0, 2, 0, 8 * MIB, 5);
    time.pass(Duration.ofSeconds(8));
    look("den", 0, 12, 0, 16 * MIB, 95);

    assertThat(told)
        .containsExactly(
            "[den, sea] db:5432 1 8388608 3.3554432E7", "[den, sea] db:5432 10 8388608 8388608.0");
  }

  @Test
  void otherRelaysAndLooksThatFollowAtOnceDoNotCount() {
    look("sea", 1, 1, 0, MIB);
    look("den", 1, 1, 0, MIB);
    time.pass(Duration.ofMillis(900));
    look("den", 1, 2, 0, 2 * MIB);

    assertThat(told).hasSize(1);
  }

  @Test
  void littleAndWhatWasLongAgoIsNoRate() {
    look("den", 1, 1, 0, 0);
    time.pass(Duration.ofSeconds(10));
    look("den", 1, 1, 0, MIB - 1);
    time.pass(Duration.ofSeconds(61));
    look("den", 1, 1, 0, 9 * MIB);

    assertThat(told).hasSize(3).allMatch(one -> one.endsWith(" 0.0"));
  }

  @Test
  void aRelayThatHasRestartedCountsAnew() {
    look("den", 1, 5, 0, 9 * MIB);
    time.pass(Duration.ofSeconds(10));
    look("den", 1, 1, 0, 10);

    assertThat(told).last().isEqualTo("[den, sea] db:5432 1 10 0.0");
  }

  @Test
  void aChainThatIsIdleSinceTheOrchestratorsStartWasNotSeenLately() {
    look("den", 0, 5, 0, 9 * MIB);
    time.pass(Duration.ofSeconds(10));
    look("den", 0, 5, 0, 9 * MIB);

    assertThat(told).isEmpty();
  }

  private void look(String relay, long running, long opened, long forward, long backward) {
    look(relay, running, opened, forward, backward, null);
  }

  /**
   * @param lives of all streams, in seconds; null where the relay does not say
   */
  private void look(
      String relay,
      long running,
      long opened,
      long forward,
      long backward,
      @Nullable Integer lives) {
    destinations.counted(
        CHAIN,
        ROUTE,
        "db:5432",
        relay,
        new StreamTotals(
            running,
            opened,
            0L,
            0L,
            forward,
            backward,
            null,
            0L,
            lives == null ? null : new Stalls(lives / 2.0, lives / 2.0, 0.0),
            null,
            List.of(),
            List.of(),
            null));
  }
}
