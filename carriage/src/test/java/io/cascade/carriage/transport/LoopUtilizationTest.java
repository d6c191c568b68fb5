package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopUtilizationTest {
  private long now;
  private long demand = ProcessorDemand.UNKNOWN;
  private final LoopUtilization loop = new LoopUtilization(0, () -> demand);

  @Test
  void aLoopThatHasJustBegunIsLight() {
    assertThat(loop.isBusy()).isFalse();
    assertThat(loop.isLight()).isTrue();
  }

  @Test
  void aLoopIsBusyThatWorksMoreThanHalfOfAWindow() {
    goOn(LoopUtilization.WINDOW_NANOS, 51, 49);
    assertThat(loop.isBusy()).isTrue();
  }

  @Test
  void aLoopThatRestsHalfOfItsTimeIsNeitherBusyNorLight() {
    goOn(LoopUtilization.WINDOW_NANOS, 50, 50);
    assertThat(loop.isBusy()).isFalse();
    assertThat(loop.isLight()).isFalse();
  }

  @Test
  void aLoopThatRestsMoreThanThreeQuartersOfItsTimeIsLight() {
    goOn(LoopUtilization.WINDOW_NANOS, 100, 0);
    goOn(LoopUtilization.WINDOW_NANOS, 24, 76);
    assertThat(loop.isLight()).isTrue();
  }

  @Test
  void oneWholeWindowIsNeededToTell() {
    goOn(LoopUtilization.WINDOW_NANOS / 2, 100, 0);
    assertThat(loop.isBusy()).isFalse();
  }

  @Test
  void whatWasBeforeTheLastWindowDoesNotCount() {
    goOn(LoopUtilization.WINDOW_NANOS, 100, 0);
    goOn(LoopUtilization.WINDOW_NANOS, 50, 50);
    assertThat(loop.isBusy()).isFalse();
    goOn(LoopUtilization.WINDOW_NANOS, 100, 0);
    assertThat(loop.isBusy()).isTrue();
  }

  @Test
  void aLongRestIsOneWindow() {
    goOn(LoopUtilization.WINDOW_NANOS, 100, 0);
    goOn(60 * LoopUtilization.WINDOW_NANOS, 0, 1_000);
    assertThat(loop.isBusy()).isFalse();
  }

  @Test
  void whatALoopWaitsForItsProcessorIsNoRest() {
    demand = 0;
    goOn(LoopUtilization.WINDOW_NANOS, 30, 70);
    demand += LoopUtilization.WINDOW_NANOS * 95 / 100;
    goOn(LoopUtilization.WINDOW_NANOS, 30, 70);
    assertThat(loop.isBusy()).isTrue();
  }

  @Test
  void whatALoopIsHeldUpByOtherThingsIsNoRest() {
    demand = 0;
    goOn(LoopUtilization.WINDOW_NANOS, 95, 5);
    demand += LoopUtilization.WINDOW_NANOS * 20 / 100;
    goOn(LoopUtilization.WINDOW_NANOS, 95, 5);
    assertThat(loop.isBusy()).isTrue();
  }

  /** Goes on in rounds of so many microseconds of work and of rest. */
  private void goOn(long nanos, int workMicros, int restMicros) {
    for (long end = now + nanos; now < end; ) {
      now += workMicros * 1_000L;
      loop.rests(now);
      assertThat(loop.isResting()).isTrue();
      now += restMicros * 1_000L;
      loop.works(now);
      loop.works(now + 1); // the round's later events change nothing
      assertThat(loop.isResting()).isFalse();
    }
  }
}
