package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Why round robin is only there to compare with. */
  @Test
  void roundRobinIsHeldUpByTheSlowPath() {
    Way quick = new Way(50, 10);
    Way slow = new Way(1, 600);
    assertThat(carried(1 << 20, Scheduler.ROUND_ROBIN, 3, quick, slow))
        .isLessThan(carried(1 << 20, Scheduler.EARLIEST, 3, quick, slow) / 2);
  }
}
