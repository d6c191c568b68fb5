package io.cascade.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.RetainedPath;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.links.Loss;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Starts over 100 Mbit/s and 160 ms, in virtual time, with and without what is known of the path.
 */
class KnownPathTest {
  private static final double RATE = 100e6;
  private static final Duration ROUND_TRIP = Duration.ofMillis(160);

  /** Packets that the link carries in a round trip. */
  private static final double CARRIED = RATE / 8 / BulkRun.PACKET_BYTES * 0.16;

  private static BulkRun run(double rate, String loss, DelayCompete controller) {
    return new BulkRun(
        rate,
        ROUND_TRIP,
        1,
        Loss.parse(loss),
        controller,
        new SlidingDeficit(),
        new SlidingDeficit(),
        7);
  }

  /** Round trips until one delivers 0.7 of what the link carries. */
  private static int roundTripsToTheRate(String loss, @Nullable RetainedPath known) {
    BulkRun run = run(RATE, loss, new DelayCompete(known));
    long before = 0;
    for (int trip = 1; trip < 50; trip++) {
      run.network().runUntil(trip * ROUND_TRIP.toNanos());
      long received = run.far().received() / 31;
      if (received - before > 0.7 * CARRIED) {
        return trip;
      }
      before = received;
    }
    throw new AssertionError("never reached");
  }

  private static RetainedPath learned(String loss) {
    DelayCompete first = new DelayCompete();
    run(RATE, loss, first).network().runUntil(Duration.ofSeconds(5).toNanos());
    return requireNonNull(first.retained());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0%", "0.5%", "2%"})
  void aKnownPathIsFilledSomeRoundTripsSooner(String loss) {
    RetainedPath known = learned(loss);
    assertThat(known.packets()).isBetween(0.6 * CARRIED, 1.1 * CARRIED);
    assertThat(known.roundTripNanos() / 1e6).isBetween(160.0, 165.0);

    int without = roundTripsToTheRate(loss, null);
    int with = roundTripsToTheRate(loss, known);

    assertThat(with).isLessThanOrEqualTo(without - 2);
  }

  /** The path carries a tenth of what it did. */
  @Test
  void aPathThatHasShrunkIsGivenBackWithinTwoRoundTripsAndThenFilled() {
    double nowCarried = CARRIED / 10;
    RetainedPath known = new RetainedPath(CARRIED, ROUND_TRIP.toNanos(), 0);
    DelayCompete controller = new DelayCompete(known);
    BulkRun run = run(RATE / 10, "0%", controller);
    long jumped = 0;
    long retreated = 0;
    for (long nanos = 0; nanos < 3_000_000_000L; nanos += 1_000_000) {
      run.network().runUntil(nanos);
      assertThat(controller.windowPackets()).isLessThanOrEqualTo(CARRIED / 2 + nowCarried);
      if (jumped == 0 && controller.windowPackets() == CARRIED / 2) {
        jumped = nanos;
      } else if (jumped > 0 && retreated == 0 && controller.windowPackets() < CARRIED / 4) {
        retreated = nanos;
        assertThat(controller.windowPackets()).isLessThan(nowCarried);
      }
    }
    long dropped = run.network().forward().statistics(run.network().nowNanos()).droppedPackets();

    assertThat(controller.hasRetreated()).isTrue();
    assertThat(jumped).isPositive();
    assertThat(retreated - jumped).isBetween(1L, 2 * ROUND_TRIP.toNanos());
    assertThat(dropped).isLessThan((long) (CARRIED / 2));
    BulkRun.Outcome then = run.run(Duration.ofSeconds(3), Duration.ofSeconds(10));
    assertThat(then.payload()).isGreaterThan(0.9);
    assertThat(requireNonNull(controller.retained()).packets()).isLessThan(1.3 * nowCarried);
  }

  /** What a file of the state may say, read by a session that keeps 4,096 symbols at most. */
  @ParameterizedTest
  @CsvSource({"1333, 0.5", "1333, 1", "1e6, 0", "1e6, 1", "1e15, 1"})
  void wrongValuesCostABoundedLossAndThenThePathIsFilled(double packets, double loss) {
    RetainedPath wrong = new RetainedPath(packets, ROUND_TRIP.toNanos(), loss);
    BulkRun run = run(RATE / 10, "0%", new DelayCompete(wrong));
    run.network().runUntil(Duration.ofSeconds(3).toNanos());
    long dropped = run.network().forward().statistics(run.network().nowNanos()).droppedPackets();

    assertThat(dropped).isLessThan(4_096);
    assertThat(run.run(Duration.ofSeconds(3), Duration.ofSeconds(10)).payload()).isGreaterThan(0.9);
  }

  /** Chance losses look like congestion then, and the jump is given back without need. */
  @ParameterizedTest
  @ValueSource(strings = {"0.2%", "0.5%", "2%"})
  void aPathThatLosesMoreThanIsKnownDeliversLittleLessThanWithoutKnowledge(String loss) {
    RetainedPath lossless = new RetainedPath(CARRIED, ROUND_TRIP.toNanos(), 0);

    assertThat(receivedInTenSeconds(loss, lossless))
        .isGreaterThan(receivedInTenSeconds(loss, null) * 9 / 10);
  }

  private static long receivedInTenSeconds(String loss, @Nullable RetainedPath known) {
    BulkRun run = run(RATE, loss, new DelayCompete(known));
    run.network().runUntil(Duration.ofSeconds(10).toNanos());
    return run.far().received();
  }

  @Test
  void aWarmSessionKnowsItsPathAfterAPause() {
    DelayCompete controller = new DelayCompete();
    BulkRun run = run(RATE, "0.5%", controller);
    run.network().runUntil(Duration.ofSeconds(5).toNanos());
    run.near().allow(run.near().offered());
    run.network().runUntil(Duration.ofSeconds(30).toNanos());
    long start = run.network().nowNanos();
    long before = run.far().received() / 31;
    run.near().allow(Long.MAX_VALUE);
    run.network().runUntil(start + 4 * ROUND_TRIP.toNanos());
    double delivered = run.far().received() / 31.0 - before;
    // Doubled from ten packets on it would be a tenth of that.
    assertThat(delivered).isGreaterThan(0.8 * CARRIED);
  }
}
