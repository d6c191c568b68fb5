package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pipes carry together, in virtual time. */
class RatesTest {
  private static final long SECOND = 1_000 * SimulatedSegment.MILLI;
  private static final int CAPACITY = 4 << 20;

  /** Megabits per second, as octets per nanosecond. */
  private static double mbit(double rate) {
    return rate / 8_000;
  }

  private record Way(double mbit, long rttMillis) {}

  /** Octets that arrive in the time. */
  private static long carried(int capacity, Scheduler scheduler, long seconds, Way... ways) {
    SimulatedSegment segment =
        new SimulatedSegment(new SegmentStream.Settings(capacity, 60 * SECOND, scheduler), 1);
    segment.left.plain = true;
    segment.left.toWrite = Long.MAX_VALUE / 4;
    for (Way way : ways) {
      segment.join(mbit(way.mbit), way.rttMillis * SimulatedSegment.MILLI / 2);
    }
    segment.run(SECOND);
    long before = segment.right.read;
    segment.run((1 + seconds) * SECOND);
    return segment.right.read - before;
  }

  @ParameterizedTest
  @CsvSource({"10, 40, 10, 40", "10, 40, 10, 200", "10, 40, 40, 40", "40, 40, 10, 200"})
  void twoPathsCarryWhatBothCarry(double mbit1, long rtt1, double mbit2, long rtt2) {
    long together =
        carried(CAPACITY, Scheduler.EARLIEST, 8, new Way(mbit1, rtt1), new Way(mbit2, rtt2));
    assertThat(together * 8 / 8e6).isGreaterThanOrEqualTo(0.95 * (mbit1 + mbit2));
  }

  @Test
  void threeSlowPathsOfVeryDifferentDelaysCarryNearlyThreeTimesOne() {
    Way[] ways = {new Way(1.544, 40), new Way(1.544, 200), new Way(1.544, 360)};
    long together = carried(CAPACITY, Scheduler.EARLIEST, 30, ways);
    assertThat(together * 8 / 30e6).isGreaterThanOrEqualTo(2.85 * 1.544);
  }

  /** A buffer that is too small for the slow path must not slow the quick one down. */
  @ParameterizedTest
  @CsvSource({
    "100, 10, 1, 600",
    "1000, 2, 10, 100",
    "1000, 1, 1, 1000",
    "40, 40, 10, 40",
    "40, 200, 1, 20"
  })
  void togetherNeverLessThanTheBestAlone(double mbit1, long rtt1, double mbit2, long rtt2) {
    for (int capacity : new int[] {1 << 18, 1 << 20}) {
      Way best = new Way(mbit1, rtt1);
      long alone = carried(capacity, Scheduler.EARLIEST, 3, best);
      long together = carried(capacity, Scheduler.EARLIEST, 3, best, new Way(mbit2, rtt2));
      assertThat(together).as("capacity %d", capacity).isGreaterThanOrEqualTo(alone * 98 / 100);
    }
  }

  /**
   * A path that loses holds up what the other one has delivered, again and again. What it holds up
   * is repeated in time, so that it costs little over any 5 s, and brings something in all.
   */
  @ParameterizedTest
  @ValueSource(ints = {1 << 20, 3 << 19, 4 << 20})
  void aPathThatStallsHoldsUpLittleOfWhatTheOtherCarries(int capacity) {
    SimulatedSegment segment =
        new SimulatedSegment(
            new SegmentStream.Settings(capacity, 60 * SECOND, Scheduler.EARLIEST), 1);
    segment.left.plain = true;
    segment.left.toWrite = Long.MAX_VALUE / 4;
    segment.join(mbit(10), 20 * SimulatedSegment.MILLI);
    segment.join(mbit(40), 20 * SimulatedSegment.MILLI).stallAfter(20_000);
    segment.run(5 * SECOND);
    List<Long> reads = new ArrayList<>();
    for (int second = 5; second <= 65; second++) {
      segment.run(second * SECOND);
      reads.add(segment.right.read);
    }
    double least = Double.MAX_VALUE;
    for (int i = 5; i < reads.size(); i++) {
      least = Math.min(least, (reads.get(i) - reads.get(i - 5)) * 8 / 5e6);
    }
    double average = (reads.getLast() - reads.getFirst()) * 8 / 60e6;
    assertThat(least).as("Mbit/s over 5 s").isGreaterThan(0.92 * 10);
    assertThat(average).as("Mbit/s").isGreaterThan(1.02 * 10);
  }

  /** A window of 4 MiB alone would let 335 Mbit/s through. */
  @Test
  void theWindowGrowsToWhatALongFastPathTakes() {
    int most = 64 << 20;
    WindowAllowance allowance = new WindowAllowance(4L * most);
    SimulatedSegment segment = growing(most, allowance);
    segment.join(mbit(1_000), 50 * SimulatedSegment.MILLI);
    segment.run(2 * SECOND);
    long before = segment.right.read;
    segment.run(3 * SECOND);
    assertThat((segment.right.read - before) * 8 / 1e6).isGreaterThan(950);
    assertThat(segment.left.stream.heldBytes()).isLessThanOrEqualTo(most + (64 << 10));
    assertThat(allowance.left()).isLessThan(4L * most);
    segment.left.stream.reset(Reason.SHUTDOWN, "");
    segment.right.stream.reset(Reason.SHUTDOWN, "");
    segment.left.stream.release();
    segment.right.stream.release();
    assertThat(allowance.left()).isEqualTo(4L * most);
  }

  @Test
  void theWindowGrowsNoFurtherThanTheAllowance() {
    SimulatedSegment segment = growing(64 << 20, new WindowAllowance(0));
    segment.join(mbit(1_000), 50 * SimulatedSegment.MILLI);
    segment.run(2 * SECOND);
    assertThat(segment.right.read * 8 / 2e6).isLessThan(340);
  }

  @Test
  void theWindowOfASlowReaderDoesNotGrow() {
    SimulatedSegment segment = growing(64 << 20, new WindowAllowance(Long.MAX_VALUE));
    segment.join(mbit(1_000), 50 * SimulatedSegment.MILLI);
    segment.right.readsAtMost = 5_000_000; // octets per second
    segment.run(3 * SECOND);
    assertThat(segment.right.read).isLessThanOrEqualTo(15_000_000);
    assertThat(segment.left.stream.heldBytes()).isLessThanOrEqualTo(CAPACITY + (128 << 10));
    assertThat(segment.right.stream.heldBytes()).isLessThanOrEqualTo(CAPACITY + (128 << 10));
  }

  private static SimulatedSegment growing(int most, WindowAllowance allowance) {
    SimulatedSegment segment =
        new SimulatedSegment(
            new SegmentStream.Settings(CAPACITY, most, allowance, 60 * SECOND, Scheduler.EARLIEST),
            1);
    segment.left.plain = true;
    segment.left.toWrite = Long.MAX_VALUE / 4;
    return segment;
  }

  /** Why round robin is only there to compare with. */
  @Test
  void roundRobinIsHeldUpByTheSlowPath() {
    Way quick = new Way(50, 10);
    Way slow = new Way(1, 600);
    assertThat(carried(1 << 20, Scheduler.ROUND_ROBIN, 3, quick, slow))
        .isLessThan(carried(1 << 20, Scheduler.EARLIEST, 3, quick, slow) / 2);
  }
}
