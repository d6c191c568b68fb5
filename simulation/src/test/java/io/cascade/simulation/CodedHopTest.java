package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.redundancy.SelectiveRepeat;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a coded hop carries, and what it leaves to others, in virtual time and under fixed seeds.
 */
class CodedHopTest {
  private static final double TEN_MEGABIT = 10e6;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration COUNTED = Duration.ofSeconds(20);

  private static BulkRun run(double buffer, String loss, DelayCompete controller) {
    return new BulkRun(
        TEN_MEGABIT,
        Duration.ofMillis(100),
        buffer,
        Loss.parse(loss),
        controller,
        new SlidingDeficit(),
        new SlidingDeficit(),
        5);
  }

  @ParameterizedTest
  @CsvSource({
    "0%, 0.95",
    "1%, 0.95",
    "5%, 0.95",
    "10%, 0.93",
    "20%, 0.90",
    "30%, 0.88",
    "10% burst 3, 0.89",
    "30% burst 3, 0.84"
  })
  void carriesNearlyAllThatALossyLinkCanCarryWithAShortQueue(String loss, double least) {
    for (double buffer : new double[] {0.5, 2}) {
      BulkRun.Outcome outcome = run(buffer, loss, new DelayCompete()).run(WARM_UP, COUNTED);
      assertThat(outcome.payload()).isBetween(least, 1.02);
      assertThat(outcome.roundTripFactor()).isLessThan(1.25);
    }
  }

  @Test
  void waitsLessForOrderThanWhoRepeatsOnly() {
    BulkRun.Outcome coded = run(1, "10%", new DelayCompete()).run(WARM_UP, COUNTED);
    BulkRun.Outcome repeated =
        new BulkRun(
                TEN_MEGABIT,
                Duration.ofMillis(100),
                1,
                Loss.parse("10%"),
                new DelayCompete(),
                new SelectiveRepeat(),
                new SelectiveRepeat(),
                5)
            .run(WARM_UP, COUNTED);
    assertThat(coded.waitMean()).isLessThan(0.7 * repeated.waitMean());
    assertThat(coded.payload()).isGreaterThan(repeated.payload() - 0.06);
  }

  @ParameterizedTest
  @CsvSource({"10, 50", "10, 100", "100, 50", "100, 100"})
  void symbolsWaitLittleForThoseBeforeThemAtATenthLost(int megabits, int roundTripMillis) {
    BulkRun.Outcome outcome =
        new BulkRun(
                1e6 * megabits,
                Duration.ofMillis(roundTripMillis),
                1,
                Loss.parse("10%"),
                new DelayCompete(),
                new SlidingDeficit(),
                new SlidingDeficit(),
                5)
            .run(WARM_UP, COUNTED);
    assertThat(outcome.waitMean()).isLessThanOrEqualTo(0.6);
    assertThat(outcome.waitHigh()).isLessThanOrEqualTo(3);
  }

  /** A buffer of three packets: overload must not teach that loss is normal. */
  @Test
  void aTinyBufferIsNotOverrun() {
    DelayCompete controller = new DelayCompete();
    BulkRun run = run(0.04, "0%", controller);
    run.run(WARM_UP, COUNTED);
    long taken = run.network().forward().statistics(run.network().nowNanos()).takenPackets();
    double capacity = TEN_MEGABIT / 8 / BulkRun.PACKET_BYTES * 25;
    assertThat(taken / capacity).isLessThan(1.3);
    assertThat(controller.baseLoss()).isLessThan(0.3);
  }

  @Test
  void sixtyPercentLossIsBornWithoutRunningAway() {
    DelayCompete controller = new DelayCompete();
    BulkRun run = run(1, "60%", controller);
    BulkRun.Outcome outcome = run.run(WARM_UP, COUNTED);
    long taken = run.network().forward().statistics(run.network().nowNanos()).takenPackets();
    double capacity = TEN_MEGABIT / 8 / BulkRun.PACKET_BYTES * 25;
    assertThat(taken / capacity).isLessThan(1.3);
    assertThat(outcome.payload()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"RENO, 0%", "RENO, 10%", "RENO, 30%", "CUBIC, 0%", "CUBIC, 10%", "CUBIC, 30%"})
  void sharesALinkWithATcpFlowWhateverItLosesItself(SharedRun.Kind rival, String loss) {
    double[] shares =
        new SharedRun(TEN_MEGABIT, Duration.ofMillis(100), 1, 1)
            .add(rival, Loss.NONE, Duration.ZERO)
            .add(SharedRun.Kind.CODED, Loss.parse(loss), Duration.ofSeconds(3))
            .shares(Duration.ofSeconds(20), Duration.ofSeconds(100));
    assertThat(shares[1]).isBetween(0.2, 0.75);
  }

  /**
   * On a quick link the TCP flow grows slowly: a sender that keeps the queue short gives way to it
   * all the time, and sees no queue of others.
   */
  @ParameterizedTest
  @CsvSource({"RENO, 50, 2, 0%", "CUBIC, 100, 2, 1%"})
  void aFlowThatGrowsSlowlyDoesNotStarveIt(
      SharedRun.Kind rival, int roundTripMillis, double buffer, String loss) {
    double[] shares =
        new SharedRun(100e6, Duration.ofMillis(roundTripMillis), buffer, 1)
            .add(rival, Loss.NONE, Duration.ZERO)
            .add(SharedRun.Kind.CODED, Loss.parse(loss), Duration.ofSeconds(3))
            .shares(Duration.ofSeconds(18), Duration.ofSeconds(63));
    assertThat(shares[1]).isBetween(0.2, 0.75);
  }

  @Test
  void twoCodedFlowsShareEvenly() {
    double[] shares =
        IntStream.rangeClosed(1, 3)
            .mapToDouble(seed ->
                new SharedRun(TEN_MEGABIT, Duration.ofMillis(100), 1, seed)
                    .add(SharedRun.Kind.CODED, Loss.NONE, Duration.ZERO)
                    .add(SharedRun.Kind.CODED, Loss.parse("10%"), Duration.ofSeconds(3))
                    .shares(Duration.ofSeconds(40), Duration.ofSeconds(120))[1])
            .sorted()
            .toArray();
    assertThat(shares[1]).as("median of %s", Arrays.toString(shares)).isBetween(0.35, 0.65);
    assertThat(shares[2]).isLessThan(0.75);
  }
}
