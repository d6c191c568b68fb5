package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamActivityTest {
  private static final Duration TICK = Duration.ofMillis(250);

  private final ManualClock clock = new ManualClock();
  private long moved = 5_000_000;
  private final StreamActivity activity = new StreamActivity(() -> moved, clock);

  @Test
  void whatWasMovedBeforeIsNoActivity() {
    assertThat(activity.movesBulk()).isFalse();
  }

  @Test
  void aMegabitASecondIsTheLimit() {
    ticks(8, 31_250); // 1 Mbit/s exactly
    assertThat(activity.movesBulk()).isFalse();
    ticks(4, 31_251);
    assertThat(activity.movesBulk()).isTrue();
  }

  @Test
  void bulkIsSeenBeforeASecondIsOver() {
    ticks(4, 0);
    moved += 132_000;
    clock.pass(Duration.ofMillis(50));
    assertThat(activity.movesBulk()).isTrue();
  }

  @Test
  void aStreamThatBeginsIsSeenInItsFirstRoundTrips() {
    ticks(4, 0);
    moved += 33_000;
    clock.pass(Duration.ofMillis(50));
    assertThat(activity.movesBulk()).isTrue();
  }

  @Test
  void fewBytesAtOnceAreNoBulk() {
    ticks(4, 0);
    moved += 32_000;
    clock.pass(Duration.ofMillis(50));
    assertThat(activity.movesBulk()).isFalse();
  }

  @Test
  void aSecondAfterTheLastByteItIsOver() {
    ticks(4, 1_000_000);
    ticks(3, 0);
    assertThat(activity.movesBulk()).isTrue();
    ticks(1, 0);
    assertThat(activity.movesBulk()).isFalse();
  }

  @Test
  void aStreamThatIsMissedForAMomentWhileItEndsIsNoActivity() {
    ticks(4, 0);
    long all = moved;
    moved = 0;
    ticks(1, 0);
    moved = all;
    ticks(1, 0);
    assertThat(activity.movesBulk()).isFalse();
  }

  @Test
  void looksThatComeRarelyAreAveragedOverTheirTime() {
    ticks(1, 0);
    moved += 1_000_000;
    clock.pass(Duration.ofSeconds(10)); // 0.8 Mbit/s
    assertThat(activity.movesBulk()).isFalse();
  }

  private void ticks(int count, long bytes) {
    for (int tick = 0; tick < count; tick++) {
      activity.look();
      moved += bytes;
      clock.pass(TICK);
    }
    activity.look();
  }
}
