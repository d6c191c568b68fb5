package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.carriage.transport.TcpInfo;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementTest {
  private static final long MILLI = 1_000_000;
  private static final long START = 7_000 * MILLI;

  private final Measurement measurement = new Measurement(START, info(500, 0, 3, 0, 0, 0, 0, 10));

  @Test
  void theSteadyRateLeavesOutTheFirstThird() {
    // A second of 1 Mbit/s while the window opens, then two of 8 Mbit/s.
    for (int at = 100; at <= 1_000; at += 100) {
      sample(at, 500 + at * 125L, 10);
    }
    for (int at = 1_100; at <= 3_000; at += 100) {
      sample(at, 125_500 + (at - 1_000) * 1_000L, 20);
    }
    ThroughputReport report = report(3_050, 2_125_000, ThroughputEnd.BYTES);
    assertThat(report.seconds()).isEqualTo(3.05);
    assertThat(report.bitsPerSecond()).isEqualTo(2_125_000 * 8 / 3.05);
    assertThat(report.steadyBitsPerSecond()).isEqualTo(8e6);
    assertThat(report.loadedRttMillis()).isEqualTo(20);
    assertThat(report.minRttMillis()).isEqualTo(9);
    assertThat(report.sentSegments()).isEqualTo(997);
    assertThat(report.retransmittedSegments()).isEqualTo(2);
    assertThat(report.congestionControl()).isEqualTo("reno");
    assertThat(report.endedBy()).isEqualTo(ThroughputEnd.BYTES);
  }

  @Test
  void whatArrivedBehindAHoleCountsWhenItArrives() {
    for (int at = 100; at <= 3_000; at += 100) {
      boolean hole = at > 500 && at < 1_500; // filled in the steady part
      long arrived = at * 1_000L;
      long acked = hole ? 500_000 : arrived;
      measurement.add(START + at * MILLI, info(acked, arrived - acked, at, at / 500));
    }
    ThroughputReport report = report(3_050, 3_000_000, ThroughputEnd.SECONDS);
    assertThat(report.steadyBitsPerSecond()).isEqualTo(8e6);
    assertThat(report.steadySentSegments()).isEqualTo(2_000);
    assertThat(report.steadyRetransmittedSegments()).isEqualTo(4);
  }

  @Test
  void whatIsSentAgainWithinARoundTripIsOneLossEvent() {
    long again = 0;
    for (int at = 20; at <= 3_000; at += 20) {
      // Bursts of three at 1.2 s and at 2.4 s, each sent again over 40 ms of a round trip of 100
      // ms.
      boolean burst = (at >= 1_200 && at <= 1_240) || (at >= 2_400 && at <= 2_440);
      again += burst ? 1 : 0;
      measurement.add(START + at * MILLI, info(at * 1_000L, 0, at, again, 0, 0, 0, 100));
    }
    ThroughputReport report = report(3_050, 3_000_000, ThroughputEnd.SECONDS);
    assertThat(report.steadyRetransmittedSegments()).isEqualTo(6);
    assertThat(report.steadyLossEvents()).isEqualTo(2);
  }

  @Test
  void whatIsSentAgainForLongerThanARoundTripIsSeveralLossEvents() {
    for (int at = 20; at <= 3_000; at += 20) {
      boolean losing = at > 1_500 && at <= 1_600; // five samples, each of two round trips
      measurement.add(
          START + at * MILLI,
          info(at * 1_000L, 0, at, losing ? (at - 1_500) / 20 : at > 1_600 ? 5 : 0));
    }
    ThroughputReport report = report(3_050, 3_000_000, ThroughputEnd.SECONDS);
    assertThat(report.steadyLossEvents()).isEqualTo(5);
  }

  @Test
  void lessThanFourRoundTripsSayNothingSteady() {
    for (int at = 100; at <= 600; at += 100) {
      sample(at, at * 1_000L, 101); // 400 ms of 4 round trips of 101 ms
    }
    ThroughputReport report = report(700, 600_000, ThroughputEnd.SECONDS);
    assertThat(report.steadyBitsPerSecond()).isNull();
    assertThat(report.loadedRttMillis()).isNull();
    assertThat(report.steadySentSegments()).isNull();
    assertThat(report.steadyRetransmittedSegments()).isNull();
    assertThat(report.steadyLossEvents()).isNull();
  }

  @Test
  void aTestWithoutASampleHasARateAllTheSame() {
    ThroughputReport report = report(10, 65_536, ThroughputEnd.BYTES);
    assertThat(report.bitsPerSecond()).isEqualTo(65_536 * 800.0);
    assertThat(report.steadyBitsPerSecond()).isNull();
    assertThat(report.limitedBy()).isEqualTo(ThroughputLimit.NETWORK);
  }

  @ParameterizedTest
  @CsvSource({
    // of a second: busy, limited by the receiver, by the sender's buffer
    "1000, 0, 0, NETWORK",
    "1000, 101, 0, RECEIVER",
    "1000, 100, 0, NETWORK",
    "1000, 0, 101, SENDER_BUFFER",
    "1000, 90, 90, NETWORK",
    "899, 0, 0, APPLICATION",
    "900, 0, 0, NETWORK"
  })
  void whatHeldForMoreThanATenthOfTheTimeLimits(
      int busy, int receiver, int sender, ThroughputLimit limit) {
    measurement.add(START + 1_000 * MILLI, info(9_000, 0, 9, 0, busy, receiver, sender, 10));
    assertThat(report(1_000, 8_500, ThroughputEnd.SECONDS).limitedBy()).isEqualTo(limit);
  }

  /** Backpressure comes late, when the receiver's buffers are full. */
  @Test
  void ofTheSteadyPartAloneIsAskedWhatLimitedIt() {
    for (int at = 20; at <= 3_000; at += 20) {
      int limited = Math.max(0, at - 2_750);
      measurement.add(START + at * MILLI, info(at * 1_000L, 0, at, 0, at, limited, 0, 10));
    }
    assertThat(report(3_050, 3_000_000, ThroughputEnd.SECONDS).limitedBy())
        .isEqualTo(ThroughputLimit.RECEIVER);
  }

  private void sample(int atMillis, long ackedBytes, int rttMillis) {
    measurement.add(START + atMillis * MILLI, info(ackedBytes, 0, 100, 0, 0, 0, 0, rttMillis));
  }

  private ThroughputReport report(int atMillis, long bytes, ThroughputEnd endedBy) {
    TcpInfo last = info(bytes + 500, 0, 1_000, 2, 0, 0, 0, 30);
    return measurement.report(START + atMillis * MILLI, bytes, last, "reno", endedBy);
  }

  private static TcpInfo info(
      long ackedBytes, long sackedBytes, long segments, long retransmitted) {
    return info(ackedBytes, sackedBytes, segments, retransmitted, 0, 0, 0, 10);
  }

  private static TcpInfo info(
      long ackedBytes,
      long sackedBytes,
      long segments,
      long retransmitted,
      int busy,
      int receiver,
      int sender,
      int rttMillis) {
    return new TcpInfo(
        1,
        0,
        0,
        0,
        Duration.ofMillis(rttMillis),
        Duration.ofMillis(rttMillis),
        Duration.ofMillis(9),
        Duration.ZERO,
        10,
        segments,
        retransmitted,
        ackedBytes,
        sackedBytes,
        Duration.ofMillis(busy),
        Duration.ofMillis(receiver),
        Duration.ofMillis(sender),
        0);
  }
}
