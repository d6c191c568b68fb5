package io.cascade.client.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a sender's kernel counted of a transfer. */
class ConnectionAccountTest {
  private static final long MILLI = 1_000_000;
  private static final long START = 5_000 * MILLI;

  private @Nullable TcpCounters now;
  private final ConnectionAccount account =
      new ConnectionAccount(() -> Optional.ofNullable(now), "cubic", START);

  @Test
  void nothingIsKnownBeforeAnythingWasCounted() {
    assertThat(account.account()).isNull();
    now = new TcpCounters(50_000, 50_000, 0, 0, 0, 0, 0, 0, 0, false);
    account.look(START + 30 * MILLI);
    assertThat(account.account()).isNull();
  }

  @Test
  void theBeginningIsApartFromTheSteadyPart() {
    for (int step = 1; step <= 30; step++) {
      boolean beginning = step < 10;
      long segments = beginning ? 10L * step : 90 + 100L * (step - 9);
      count(step, beginning ? 50_000 : 60_000, segments, beginning ? 0 : step, 1.0);
    }

    TransferAccount seen = known();
    assertThat(seen.seconds()).isCloseTo(3, within(1e-9));
    assertThat(seen.sentSegments()).isEqualTo(2_190);
    assertThat(seen.retransmittedSegments()).isEqualTo(30);
    assertThat(seen.steadySentSegments()).isEqualTo(2_000);
    assertThat(seen.steadyRetransmittedSegments()).isEqualTo(20);
    assertThat(seen.steadyBitsPerSecond()).isCloseTo(8 * 1_448 * 1_000, within(1.0));
    assertThat(seen.minRttMillis()).isEqualTo(50);
    assertThat(seen.loadedRttMillis()).isEqualTo(60);
    assertThat(seen.congestionControl()).isEqualTo("cubic");
    assertThat(seen.limitedBy()).isEqualTo(TransferLimit.NETWORK);
  }

  @Test
  void whatIsSentAgainWithinARoundTripIsOneLoss() {
    for (int step = 1; step <= 30; step++) {
      // Steps of 100 ms, round trips of 150: the burst of steps 20 and 21 is one, 25 is another.
      long again = step < 20 ? 0 : step < 21 ? 4 : step < 25 ? 6 : 7;
      count(step, 150_000, 100L * step, again, 1.0);
    }

    assertThat(known().steadyRetransmittedSegments()).isEqualTo(7);
    assertThat(known().steadyLossEvents()).isEqualTo(2);
  }

  @Test
  void aFewRoundTripsShowNothingSteady() {
    count(1, 200_000, 10, 0, 1);
    count(2, 200_000, 40, 0, 1);
    count(3, 200_000, 90, 0, 1);

    assertThat(known().steadyBitsPerSecond()).isNull();
    assertThat(known().loadedRttMillis()).isNull();
  }

  @Test
  void whatLimitedForMoreThanATenthIsNamed() {
    now = new TcpCounters(50_000, 50_000, 50_000, 900, 0, 1_000_000, 1_000_000, 150_000, 0, false);
    assertThat(after(1_000).limitedBy()).isEqualTo(TransferLimit.RECEIVER);
    now =
        new TcpCounters(
            50_000, 50_000, 50_000, 900, 0, 1_000_000, 2_000_000, 150_000, 210_000, false);
    assertThat(after(2_000).limitedBy()).isEqualTo(TransferLimit.SENDER_BUFFER);
    now =
        new TcpCounters(
            50_000, 50_000, 50_000, 900, 0, 1_000_000, 3_500_000, 150_000, 210_000, false);
    assertThat(after(4_000).limitedBy()).isEqualTo(TransferLimit.APPLICATION);
  }

  /** A relay's buffers are full late; then it takes no more than the hops behind it. */
  @Test
  void ofTheSteadyPartAloneIsAskedWhatLimitedIt() {
    for (int step = 1; step <= 30; step++) {
      long limitedMicros = 100_000L * Math.max(0, step - 27);
      now =
          new TcpCounters(
              50_000,
              50_000,
              50_000,
              100L * step,
              0,
              1_448,
              100_000L * step,
              limitedMicros,
              0,
              false);
      account.look(START + 100L * step * MILLI);
    }

    assertThat(known().limitedBy()).isEqualTo(TransferLimit.RECEIVER);
  }

  /** Its kernel delays acknowledgments while its window stays open; the sender's waits for them. */
  @Test
  void aRelayThatTakesMoreThanItPassesOnFillsBuffers() {
    assertThat(passingOn(0.8).limitedBy()).isEqualTo(TransferLimit.RECEIVER);
    assertThat(passingOn(0.95).limitedBy()).isEqualTo(TransferLimit.NETWORK);
  }

  private TransferAccount passingOn(double share) {
    ConnectionAccount leg = new ConnectionAccount(() -> Optional.ofNullable(now), "cubic", START);
    for (int step = 1; step <= 30; step++) {
      TcpCounters counted = counters(60_000, 100L * step, 0, 100_000L * step);
      now = counted;
      leg.look(START + 100L * step * MILLI, Math.round(share * counted.arrivedBytes()));
    }
    return Objects.requireNonNull(leg.account());
  }

  @Test
  void anApplicationThatHadTooLittleToSendLimits() {
    for (int step = 1; step <= 30; step++) {
      boolean too = step % 5 == 0;
      now =
          new TcpCounters(
              50_000, 50_000, 50_000, 100L * step, 0, 1_448, 100_000L * step, 0, 0, too);
      account.look(START + 100L * step * MILLI);
    }

    assertThat(known().limitedBy()).isEqualTo(TransferLimit.APPLICATION);
  }

  @Test
  void theEndOfATransferIsNotALimit() {
    for (int step = 1; step <= 30; step++) {
      boolean over = step == 30;
      now =
          new TcpCounters(
              50_000, 50_000, 50_000, 100L * step, 0, 1_448, 100_000L * step, 0, 0, over);
      account.look(START + 100L * step * MILLI);
    }

    assertThat(known().limitedBy()).isEqualTo(TransferLimit.NETWORK);
  }

  @Test
  void aLongTransferIsLookedAtLessOftenAndItsWholeLengthStillCounts() {
    int[] looks = new int[1];
    ConnectionAccount longOne =
        new ConnectionAccount(
            () -> {
              looks[0]++;
              return Optional.of(counters(50_000, 10L * looks[0], 0, looks[0] * 20_000L));
            },
            "reno",
            START);
    for (int step = 1; step <= 50_000; step++) {
      longOne.look(START + 20L * step * MILLI);
    }

    assertThat(looks[0]).isLessThan(4_000);
    assertThat(Objects.requireNonNull(longOne.account()).seconds()).isCloseTo(1_000, within(20.0));
  }

  @Test
  void onlyWhereBothStoodInAQueueMayItHaveBeenTheSame() {
    TransferAccount queued = loaded(50, 80);
    TransferAccount free = loaded(50, 55);

    assertThat(ConnectionAccount.shareAQueue(queued, queued)).isTrue();
    assertThat(ConnectionAccount.shareAQueue(queued, loaded(192, 222)))
        .as("as late by the same queue")
        .isTrue();
    assertThat(ConnectionAccount.shareAQueue(loaded(192, 222), loaded(150, 180)))
        .as("neither is much later")
        .isFalse();
    assertThat(ConnectionAccount.shareAQueue(queued, free)).isFalse();
    assertThat(ConnectionAccount.shareAQueue(queued, loaded(50, null))).isFalse();
    assertThat(ConnectionAccount.shareAQueue(queued, null)).isFalse();
    assertThat(ConnectionAccount.limitedBy(queued, TransferLimit.SHARED_QUEUE))
        .isEqualTo(loaded(50, 80.0, TransferLimit.SHARED_QUEUE));
  }

  private TransferAccount after(long millis) {
    account.look(START + millis * MILLI);
    return known();
  }

  private TransferAccount known() {
    return Objects.requireNonNull(account.account());
  }

  /** Steps are tenths of a second; the connection is busy throughout. */
  private void count(int step, long rttMicros, long segments, long again, double busyShare) {
    now = counters(rttMicros, segments, again, Math.round(step * 100_000 * busyShare));
    account.look(START + 100L * step * MILLI);
  }

  private static TcpCounters counters(long rttMicros, long segments, long again, long busyMicros) {
    return new TcpCounters(
        rttMicros, rttMicros, 50_000, segments, again, 1_448 * segments, busyMicros, 0, 0, false);
  }

  private static TransferAccount loaded(double minMillis, @Nullable Integer loadedMillis) {
    return loaded(
        minMillis, loadedMillis == null ? null : loadedMillis.doubleValue(), TransferLimit.NETWORK);
  }

  private static TransferAccount loaded(
      double minMillis, @Nullable Double loadedMillis, TransferLimit limit) {
    return TransferAccount.builder()
        .seconds(3.0)
        .steadyBitsPerSecond(1e6)
        .sentSegments(900L)
        .retransmittedSegments(3L)
        .steadySentSegments(600L)
        .steadyRetransmittedSegments(2L)
        .minRttMillis(minMillis)
        .loadedRttMillis(loadedMillis)
        .congestionControl("cubic")
        .limitedBy(limit)
        .build();
  }
}
