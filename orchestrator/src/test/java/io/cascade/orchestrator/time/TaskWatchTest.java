package io.cascade.orchestrator.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaskWatchTest {
  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final TaskWatch watch = new TaskWatch(time.timekeeper());

  @Test
  void aTaskIsBlockedOnceNoRoundHasEndedForAMinute() {
    Runnable upkeep = watch.endOfRound("upkeep", Duration.ofMillis(250));
    watch.endOfRound("relay-watch", Duration.ofSeconds(1));
    time.pass(TaskWatch.LEAST.minusSeconds(1));
    assertThat(watch.blocked()).isEmpty();

    upkeep.run();
    time.pass(Duration.ofSeconds(1));
    assertThat(watch.blocked()).containsExactly("relay-watch");

    time.pass(TaskWatch.LEAST);
    assertThat(watch.blocked()).containsExactly("relay-watch", "upkeep");
    upkeep.run();
    assertThat(watch.blocked()).containsExactly("relay-watch");
  }

  @Test
  void aTaskWithALongPeriodHasThreeOfThem() {
    watch.endOfRound("relay-watch", Duration.ofMinutes(5));

    time.pass(Duration.ofMinutes(14));
    assertThat(watch.blocked()).isEmpty();
    time.pass(Duration.ofMinutes(1));
    assertThat(watch.blocked()).containsExactly("relay-watch");
  }

  @Test
  void stepsOfTheTimeOfDayBlockNothing() {
    watch.endOfRound("upkeep", Duration.ofSeconds(1));

    time.step(Duration.ofHours(2));
    assertThat(watch.blocked()).isEmpty();
  }
}
