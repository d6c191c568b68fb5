package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.links.Policer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths that change and paths that nobody would wish for, in virtual time. */
class AdversePathsTest {
  private static final double TEN_MEGABIT = 10e6;

  /** Rate of the receiving application, by the sizes that {@link BulkRun} uses. */
  private static final double PACKETS_PER_SECOND = TEN_MEGABIT / 8 / BulkRun.PACKET_BYTES;

  private static final int DATA_BYTES = 31;

  private static final long POLICED = 2_500_000;

  private BulkRun run;

  @BeforeEach
  void startOnAnOrdinaryPath() {
    run = run(1, "1%");
  }

  private static BulkRun run(double buffer, String loss) {
    return run(buffer, loss, 3);
  }

  private static BulkRun run(double buffer, String loss, long seed) {
    return new BulkRun(
        TEN_MEGABIT,
        Duration.ofMillis(50),
        buffer,
        Loss.parse(loss),
        new DelayCompete(),
        new SlidingDeficit(0),
        new SlidingDeficit(0),
        seed);
  }

  /** Share of the link's rate that was delivered in order from now to a second. */
  private double delivered(BulkRun of, int untilSecond) {
    long from = of.network().nowNanos();
    long before = of.far().received();
    of.network().runUntil(untilSecond * 1_000_000_000L);
    double seconds = (of.network().nowNanos() - from) / 1e9;
    return (of.far().received() - before) / (double) DATA_BYTES / PACKETS_PER_SECOND / seconds;
  }

  private void reshape(UnaryOperator<LinkShape> change) {
    VirtualNetwork network = run.network();
    network.forward().reshape(network.nowNanos(), change.apply(network.forward().shape()));
    network.backward().reshape(network.nowNanos(), change.apply(network.backward().shape()));
  }

  /** In the median of some runs: one in thirty goes on to look for others for longer. */
  @Test
  void followsACapacityThatFallsAndRises() {
    List<Double> first = new ArrayList<>();
    List<Double> fallen = new ArrayList<>();
    List<Double> risen = new ArrayList<>();
    for (long seed = 1; seed <= 5; seed++) {
      run = run(1, "1%", seed);
      first.add(delivered(run, 10));
      reshape(shape -> shape.withBitsPerSecond(2_500_000));
      delivered(run, 15);
      fallen.add(delivered(run, 25));
      reshape(shape -> shape.withBitsPerSecond((long) TEN_MEGABIT));
      delivered(run, 30);
      risen.add(delivered(run, 40));
    }
    assertThat(median(first)).isGreaterThan(0.85);
    assertThat(median(fallen)).isBetween(0.22, 0.27);
    assertThat(median(risen)).isGreaterThan(0.9);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  @Test
  void isBackSoonAfterAnOutage() {
    delivered(run, 5);
    reshape(shape -> shape.withDown(true));
    assertThat(delivered(run, 15)).isLessThan(0.05);
    long during = run.network().forward().statistics(run.network().nowNanos()).takenPackets();
    reshape(shape -> shape.withDown(false));
    delivered(run, 19);
    assertThat(during).isLessThan(6 * (long) PACKETS_PER_SECOND);
    assertThat(delivered(run, 25)).isGreaterThan(0.9);
  }

  /** The session outlives it, asks now and then, and fills the link again. */
  @Test
  void outlivesAnOutageOfAMinute() {
    delivered(run, 5);
    long before = taken();
    reshape(shape -> shape.withDown(true));
    delivered(run, 65);
    assertThat(taken() - before).isLessThan(2 * (long) PACKETS_PER_SECOND);
    reshape(shape -> shape.withDown(false));
    delivered(run, 75);
    assertThat(delivered(run, 85)).isGreaterThan(0.85);
  }

  private long taken() {
    return run.network().forward().statistics(run.network().nowNanos()).takenPackets();
  }

  /** The path has changed meanwhile: what was known of it must not be sent into it. */
  @Test
  void startsAnewAfterAMinuteWithoutData() {
    delivered(run, 10);
    run.near().allow(run.near().offered());
    delivered(run, 70);
    reshape(shape -> shape.withBitsPerSecond(2_500_000).withQueueBytes(15_000));
    long before = taken();
    run.near().allow(Long.MAX_VALUE);
    delivered(run, 71);
    System.out.println(
        "IDLE first second "
            + (taken() - before) / PACKETS_PER_SECOND
            + " "
            + run.near().session().account().mode());
    assertThat((taken() - before) / PACKETS_PER_SECOND).isLessThan(0.5);
    delivered(run, 75);
    assertThat(delivered(run, 85)).isBetween(0.22, 0.27);
  }

  @Test
  void sixtyPercentLossIsNoReasonToOverrunTheLink() {
    run.network().become(0, Loss.parse("60%"));
    delivered(run, 10);
    long before = taken();
    double share = delivered(run, 40);
    assertThat((taken() - before) / PACKETS_PER_SECOND / 30).isLessThan(1.2);
    assertThat(share).isGreaterThan(0.01);
  }

  @Test
  void jitterOfTenMillisecondsStopsNothing() {
    reshape(shape -> shape.withJitter(Duration.ofMillis(10)));
    delivered(run, 10);
    long before = taken();
    double share = delivered(run, 40);
    assertThat((taken() - before) / PACKETS_PER_SECOND / 30).isLessThan(1.2);
    assertThat(share).isGreaterThan(0.15);
  }

  @Test
  void randomLossThatSetsInCostsWhatItTakesAndNotMore() {
    delivered(run, 10);
    run.network().become(0, Loss.parse("20%"));
    delivered(run, 15);
    assertThat(delivered(run, 30)).isBetween(0.68, 0.81);
  }

  /** A longer path looks like a queue of others, until probes of different depth find the same. */
  @Test
  void takesALongerPathForWhatItIsInTheEnd() {
    run = run(2, "1%");
    delivered(run, 10);
    reshape(shape -> shape.withDelay(Duration.ofMillis(65)));
    delivered(run, 45);
    assertThat(delivered(run, 60)).isGreaterThan(0.8);
    assertThat(run.near().session().account().mode()).isEqualTo("delay");
  }

  @Test
  void jitterAndReorderingOfAFewMillisecondsAreBorne() {
    reshape(
        shape -> shape.withJitter(Duration.ofMillis(1)).withReordering(0.02, Duration.ofMillis(6)));
    delivered(run, 5);
    assertThat(delivered(run, 25)).isGreaterThan(0.85);
  }

  /** Two packets of buffer: what is sent stays near what the link carries. */
  @Test
  void aBufferOfTwoPacketsIsNotOverrunForLong() {
    run = run(0.01, "0%");
    delivered(run, 20);
    long before = run.network().forward().statistics(run.network().nowNanos()).takenPackets();
    double share = delivered(run, 40);
    long taken =
        run.network().forward().statistics(run.network().nowNanos()).takenPackets() - before;
    assertThat(taken / PACKETS_PER_SECOND / 20).isLessThan(1.4);
    assertThat(share).isGreaterThan(0.5);
  }

  /** A policer makes no queue that would tell: what is sent beyond its rate is lost. */
  @ParameterizedTest
  @ValueSource(strings = {"0%", "1%", "10%"})
  void aPolicerIsNotOverrunForLong(String loss) {
    run = run(1, loss);
    reshape(shape -> shape.withPolicer(new Policer(POLICED, 15_000)));
    delivered(run, 20);
    long before = taken();
    double share = delivered(run, 60) * TEN_MEGABIT / POLICED;
    double sent = (taken() - before) / PACKETS_PER_SECOND / 40 * TEN_MEGABIT / POLICED;
    assertThat(sent).isLessThan(1.25);
    assertThat(share).isGreaterThan(0.65);
  }
}
