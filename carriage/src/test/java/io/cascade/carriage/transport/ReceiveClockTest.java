package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiveClockTest {
  private static final long HOUR = 3_600_000_000_000L;
  private static final long TODAY = 1_700_000_000_000_000_000L;
  private final ReceiveClock clock = new ReceiveClock();

  @Test
  void aStampIsAsOldByOneClockAsByTheOther() {
    clock.set(TODAY, 5_000_000);
    assertThat(clock.monotonic(TODAY - 300_000)).isEqualTo(4_700_000);
    assertThat(clock.monotonic(TODAY)).isEqualTo(5_000_000);
  }

  @Test
  void aClockThatWasSetMakesNothingOldOrOfTheFuture() {
    clock.set(TODAY + HOUR, 5_000_000);
    assertThat(clock.monotonic(TODAY)).isEqualTo(5_000_000);
    clock.set(TODAY - HOUR, 5_000_000);
    assertThat(clock.monotonic(TODAY)).isEqualTo(5_000_000);
  }

  @Test
  void bothClocksAreReadAtTheSameMoment() {
    long before = System.nanoTime();
    clock.read();
    assertThat(clock.now()).isBetween(before, System.nanoTime());
  }
}
