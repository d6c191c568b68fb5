package io.cascade.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopPulsesTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000); // it may wrap
  private final List<Runnable> loops = new ArrayList<>();
  private final LoopPulses pulses =
      new LoopPulses(List.of(loops::add, loops::add, loops::add), nanos::get);

  @Test
  void aLoopIsBlockedOnceItHasNotTurnedForTenSeconds() {
    pass(LoopPulses.LONGEST);
    assertThat(pulses.blocked()).isZero();

    loops.getFirst().run();
    pass(Duration.ofNanos(1));
    assertThat(pulses.blocked()).isEqualTo(2);
  }

  @Test
  void aLoopThatTurnsAgainIsBlockedNoMore() {
    pass(LoopPulses.LONGEST.plusSeconds(1));
    assertThat(pulses.blocked()).isEqualTo(3);

    loops.forEach(Runnable::run);
    assertThat(pulses.blocked()).isZero();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
