package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallClockTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(System.nanoTime());
  private final StallClock clock = new StallClock(now::get);

  @Test
  void waitsForDataFromItsBeginning() {
    pass(3);
    assertThat(clock.read()).isEqualTo(new Stalls(3 * SECOND, 0, 0));
    assertThat(clock.isHeldUp()).isFalse();
  }

  @Test
  void givesEachCauseItsOwnTime() {
    pass(1);
    clock.waitsFor(Stall.SINK);
    pass(2);
    clock.waitsFor(Stall.BUDGET);
    pass(4);
    clock.waitsFor(Stall.SINK);
    pass(8);
    assertThat(clock.isHeldUp()).isTrue();
    assertThat(clock.read()).isEqualTo(new Stalls(SECOND, 10 * SECOND, 4 * SECOND));
  }

  @Test
  void goesOnWhenTheCauseIsNamedAgain() {
    clock.waitsFor(Stall.SINK);
    pass(1);
    clock.waitsFor(Stall.SINK);
    pass(1);
    assertThat(clock.read()).isEqualTo(new Stalls(0, 2 * SECOND, 0));
  }

  @Test
  void standsStillOnceStopped() {
    pass(1);
    clock.stop();
    pass(5);
    clock.waitsFor(Stall.SINK);
    pass(5);
    assertThat(clock.read()).isEqualTo(new Stalls(SECOND, 0, 0));
  }

  @Test
  void isReadWithoutALossWhileItChanges() throws InterruptedException {
    AtomicLong ticking = new AtomicLong(System.nanoTime());
    long start = ticking.get();
    StallClock shared = new StallClock(ticking::get);
    Thread changing =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 200_000; i++) {
                ticking.incrementAndGet();
                shared.waitsFor(i % 2 == 0 ? Stall.SINK : Stall.DATA);
              }
            });
    while (changing.isAlive()) {
      long before = ticking.get() - start;
      Stalls read = shared.read();
      long after = ticking.get() - start;
      assertThat(read.dataNanos() + read.sinkNanos()).isBetween(before, after);
    }
    changing.join();
  }

  private void pass(long seconds) {
    now.addAndGet(seconds * SECOND);
  }
}
