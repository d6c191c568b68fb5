package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Accounts of several connections together, while they live and when they have ended. */
class TcpTotalsTest {
  @Test
  void roundTripsAreThoseOfConnectionsThatLive() {
    TcpTotals all = living(50, 40).plus(living(70, 60)).plus(living(900, 10).past());

    assertThat(all.connections()).isEqualTo(2);
    assertThat(all.meanRtt()).isEqualTo(Duration.ofMillis(60));
    assertThat(all.minRtt()).isEqualTo(Duration.ofMillis(40));
    assertThat(all.sentSegments()).isEqualTo(300);
  }

  @Test
  void whereNoneLivesTheyAreThoseOfConnectionsThatHaveEnded() {
    TcpTotals all = TcpTotals.NONE.plus(living(50, 40).past()).plus(living(70, 60).past());

    assertThat(all.connections()).isZero();
    assertThat(all.meanRtt()).isEqualTo(Duration.ofMillis(70));
    assertThat(all.minRtt()).isEqualTo(Duration.ofMillis(40));
    assertThat(all.past()).isEqualTo(all);
  }

  @Test
  void nothingHasNoRoundTrip() {
    assertThat(TcpTotals.NONE.meanRtt()).isZero();
    assertThat(TcpTotals.NONE.minRtt()).isZero();
  }

  private static TcpTotals living(long rttMillis, long minRttMillis) {
    Duration busy = Duration.ofSeconds(1);
    return TcpTotals.of(
        new TcpInfo(
            1,
            0,
            0,
            0,
            Duration.ofMillis(rttMillis),
            Duration.ofMillis(rttMillis),
            Duration.ofMillis(minRttMillis),
            Duration.ZERO,
            10,
            100,
            1,
            144_800,
            0,
            busy,
            Duration.ZERO,
            Duration.ZERO,
            0),
        "cubic");
  }
}
