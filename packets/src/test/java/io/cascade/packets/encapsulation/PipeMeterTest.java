package io.cascade.packets.encapsulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.packets.encapsulation.Arrivals.Counted;
import io.cascade.packets.pipes.PipeProperties;
import org.junit.jupiter.api.Test;

class PipeMeterTest {
  private static final long MILLI = 1_000_000L;
  private static final PipeProperties GIVEN = new PipeProperties(40 * MILLI, 1, 1, 0);

  private final PipeMeter meter = new PipeMeter(GIVEN, false, false);
  private long now = 1;
  private int packets;
  private long bytes;
  private long lastNanos;
  private long clockNanos;

  @Test
  void whatIsReadAtOnceAfterAPauseSaysOfNoRate() {
    answers(40, 100 * MILLI, 0);
    answers(40, 100 * MILLI, 100_000); // 8 Mbit/s
    answers(600, 600 * MILLI, 100_000);
    answers(500, 2 * MILLI, 100_000);
    answers(400, 2 * MILLI, 100_000);

    assertThat((double) meter.properties().bitsPerSecond()).isCloseTo(8e6, within(2e6));
  }

  @Test
  void aQueueThatWasSeenOnceIsForgotten() {
    answers(40, 100 * MILLI, 0);
    answers(40, 100 * MILLI, 100_000);
    answers(640, 100 * MILLI, 100_000);
    long seen = meter.properties().queueBytes();
    assertThat((double) seen).isCloseTo(600_000, within(60_000.0));

    for (int i = 0; i < 1_300; i++) {
      answers(40, 100 * MILLI, 1_000);
    }
    assertThat(meter.properties().queueBytes()).isLessThan(seen / 2);
  }

  @Test
  void aClockThatIsSetMakesNoQueue() {
    answers(40, 100 * MILLI, 0);
    answers(40, 100 * MILLI, 100_000); // 8 Mbit/s
    clockNanos = 2_000 * MILLI;
    for (int i = 0; i < 50; i++) {
      answers(40, 100 * MILLI, 10_000);
    }

    assertThat((double) meter.properties().bitsPerSecond()).isCloseTo(8e6, within(1e5));
    assertThat(meter.properties().queueBytes()).isLessThan(100_000);
  }

  /** What is the least delay then, is a queue too: so much less has room behind it. */
  @Test
  void aQueueThatNeverDrainsLeavesNoMoreRoomThanThereIs() {
    answers(40, 100 * MILLI, 0);
    answers(40, 100 * MILLI, 100_000); // 8 Mbit/s
    for (int i = 0; i < 300; i++) {
      answers(i % 2 == 0 ? 240 : 440, 100 * MILLI, 100_000);
    }

    assertThat(meter.properties().roundTripNanos()).isEqualTo(240 * MILLI);
    assertThat((double) meter.properties().queueBytes()).isCloseTo(200_000, within(20_000.0));
  }

  /**
   * @param roundTripMillis of the probe
   * @param nanos since the peer's latest arrival at the answer before
   * @param more bytes that have arrived since
   */
  private void answers(long roundTripMillis, long nanos, long more) {
    now += 100 * MILLI;
    packets += 1 + (int) (more / 1_000);
    bytes += more;
    lastNanos += nanos;
    // All that it waits, it waits on its way there.
    long sentNanos = lastNanos - roundTripMillis * MILLI - clockNanos;
    meter.arrived(
        roundTripMillis * MILLI,
        sentNanos,
        new Counted(packets, packets, bytes, lastNanos, -1, 0),
        now);
  }
}
