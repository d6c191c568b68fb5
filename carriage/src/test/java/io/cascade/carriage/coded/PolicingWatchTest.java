package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.session.SessionAccount;
import org.junit.jupiter.api.Test;

/** When UDP is compared with TCP. */
class PolicingWatchTest {
  private static final long LOOK = 200_000_000;
  private static final long SECOND = 1_000_000_000;

  private final PolicingWatch watch = new PolicingWatch();
  private long now;
  private long sent;
  private long arrived;

  /** A look, a fifth of a second later. */
  private SessionAccount after(int sentPackets, int lost, boolean waits) {
    now += LOOK;
    sent += sentPackets;
    arrived += sentPackets - lost;
    return new SessionAccount(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "delay", sent, arrived, waits);
  }

  private boolean isDueWithin(long seconds, int sentPackets, int lost, boolean waits) {
    long end = now + seconds * SECOND;
    boolean isDue = false;
    while (!isDue && now < end) {
      isDue = watch.isDue(now, after(sentPackets, lost, waits));
    }
    return isDue;
  }

  @Test
  void lossesWhileDataWaitsAreAReasonAfterTwoSpans() {
    assertThat(isDueWithin(4, 100, 30, true)).isFalse();
    assertThat(isDueWithin(1, 100, 30, true)).isTrue();
    assertThat(watch.packetsPerSecond()).isBetween(300.0, 400.0);
  }

  @Test
  void fewLossesAreNone() {
    assertThat(isDueWithin(60, 100, 1, true)).isFalse();
  }

  @Test
  void anApplicationThatHoldsBackIsNoneEither() {
    assertThat(isDueWithin(60, 100, 30, false)).isFalse();
  }

  @Test
  void whereTcpIsNoBetterItIsComparedLaterEachTime() {
    assertThat(isDueWithin(10, 100, 30, true)).isTrue();
    for (int seconds : new int[] {10, 20, 40, 80, 160, 320, 600, 600}) {
      watch.noBetter(now);
      assertThat(isDueWithin(seconds - 1, 100, 30, true)).as("within %d s", seconds).isFalse();
      assertThat(isDueWithin(2, 100, 30, true)).isTrue();
    }
  }

  @Test
  void tcpThatCarriesLessThanUdpDidIsFoundOut() {
    assertThat(isDueWithin(10, 100, 30, true)).isTrue();
    watch.wayChanged();
    long end = now + 30 * SECOND;
    while (now < end) {
      assertThat(watch.isWorse(now, after(80, 0, true))).isFalse();
    }
    boolean isWorse = false;
    while (!isWorse) {
      isWorse = watch.isWorse(now, after(40, 0, true));
    }
    assertThat(now).isGreaterThan(end + 3 * SECOND);
  }
}
