package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.RateSpan;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChainRatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private long seconds;
  private final ChainRates rates = new ChainRates(new Timekeeper(new Elapsed(), () -> 0));

  @Test
  void whatRelaysCountIsARateOfTheChainAndOfAllTogether() {
    at(0, ONE, "r2", 1_000);
    at(0, OTHER, "r3", 0);
    at(10, ONE, "r2", 2_000);
    at(10, OTHER, "r3", 500);
    seconds = 30;

    assertThat(forward(rates.of(ONE))).containsExactly(800.0);
    assertThat(forward(rates.of(OTHER))).containsExactly(400.0);
    assertThat(forward(rates.all())).containsExactly(1_200.0);
    assertThat(rates.all().spanSeconds()).isEqualTo(10);
  }

  @Test
  void aSpanIsShownOnceEveryRelayHasHadItsTurn() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);

    seconds = 21;
    assertThat(rates.all().spans()).isEmpty();
    seconds = 22;
    assertThat(rates.all().spans()).hasSize(1);
  }

  @Test
  void aRelayThatCountsAnewBeginsAnew() {
    at(0, ONE, "r2", 5_000);
    at(10, ONE, "r2", 1_000);
    at(20, ONE, "r2", 2_000);
    seconds = 60;

    assertThat(forward(rates.of(ONE))).containsExactly(800.0);
  }

  @Test
  void anotherLastRelayCountsFromWhereItIs() {
    at(0, ONE, "r2", 1_000);
    at(10, ONE, "r4", 900_000);
    at(20, ONE, "r4", 901_000);
    seconds = 60;

    assertThat(forward(rates.of(ONE))).containsExactly(800.0);
  }

  @Test
  void aSilenceOfMinutesIsAGap() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    at(300, ONE, "r2", 900_000);
    at(310, ONE, "r2", 901_000);
    seconds = 400;

    assertThat(rates.of(ONE).spans())
        .extracting(RateSpan::start)
        .containsExactly(NOW, NOW.plusSeconds(300));
  }

  @Test
  void aChainThatHasEndedIsForgottenAndStaysInTheSum() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    seconds = 30;

    rates.retain(OTHER::equals);

    assertThat(rates.of(ONE).spans()).isEmpty();
    assertThat(forward(rates.all())).containsExactly(800.0);
  }

  private void at(long second, UUID chain, String relay, long forwardBytes) {
    seconds = second;
    rates.counted(
        chain,
        relay,
        new StreamTotals(1L, 1L, 0L, 0L, forwardBytes, 0L, null, null, null, null, null, null));
  }

  private static Iterable<Double> forward(RateHistory history) {
    return history.spans().stream().map(RateSpan::forwardBitsPerSecond).toList();
  }

  private final class Elapsed extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return NOW.plusSeconds(seconds);
    }
  }
}
