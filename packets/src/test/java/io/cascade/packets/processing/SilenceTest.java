package io.cascade.packets.processing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final Silence silence = new Silence();

  @Test
  void severalPacketsWithoutAnAnswerAreSilence() {
    silence.sent(true, 0);
    silence.sent(true, 0);
    assertThat(silence.isLongerThan(100 * MILLI, SECOND)).isFalse();
    silence.sent(true, 0);
    assertThat(silence.isLongerThan(100 * MILLI, 100 * MILLI)).isFalse();
    assertThat(silence.isLongerThan(100 * MILLI, SECOND)).isTrue();
    silence.broken(SECOND);
    assertThat(silence.isLongerThan(100 * MILLI, SECOND)).isFalse();
  }

  @Test
  void triesGetRarer() {
    assertThat(triesOf(SECOND, 40)).containsExactly(1L, 2L, 4L, 8L, 16L, 24L, 32L, 40L);
  }

  @Test
  void triesAreNeverMoreFrequentThanAsked() {
    assertThat(triesOf(10 * SECOND, 40)).containsExactly(10L, 20L, 30L, 40L);
  }

  @Test
  void aPipeThatDeliversAgainIsTriedAsOftenAsAtFirst() {
    triesOf(SECOND, 20);
    silence.broken(20 * SECOND);
    silence.answered();
    assertThat(triesOf(SECOND, 3)).containsExactly(1L, 2L);
  }

  /** Seconds at which a pipe that falls silent now is tried, while there is always data. */
  private List<Long> triesOf(long leastNanos, long seconds) {
    long start = 100 * SECOND;
    for (int i = 0; i < 3; i++) {
      silence.sent(true, start - SECOND);
    }
    silence.sent(true, start);
    assertThat(silence.isLongerThan(100 * MILLI, start)).isTrue();
    List<Long> tries = new ArrayList<>();
    for (long now = start; now <= start + seconds * SECOND; now += SECOND) {
      if (silence.isTriedAgain(leastNanos, now)) {
        silence.sent(true, now);
        tries.add((now - start) / SECOND);
      }
    }
    return tries;
  }
}
