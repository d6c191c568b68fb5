package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamPaceTest {
  private static final long MIB = 1 << 20;

  private final StreamPace pace = new StreamPace(0);
  private long now;

  @Test
  void aDownloadsRateIsItsBytesOverTheTimeSinceTheStreamBegan() {
    look(200, 0, 250);
    look(200, MIB, 750);
    StreamPace.Achieved achieved = pace.achieved(1);
    assertThat(achieved.bulk()).isTrue();
    assertThat(achieved.bytes()).isEqualTo(MIB);
    assertThat(achieved.bitsPerSecond()).isEqualTo(8.0 * MIB);
  }

  @Test
  void theClientsPausesDoNotCount() {
    look(200, MIB, 500);
    look(200, MIB, 60_000);
    look(400, 2 * MIB, 250);
    assertThat(pace.achieved(1).activeNanos())
        .isEqualTo(Duration.ofMillis(500).plus(StreamPace.CLIENT_PAUSE).toNanos());
  }

  @Test
  void waitingForTheDestinationCountsUpToALimit() {
    look(200, 0, 100);
    look(200, MIB, 4_000);
    assertThat(pace.achieved(1).activeNanos()).isEqualTo(Duration.ofMillis(4_100).toNanos());
    look(200, 2 * MIB, 60_000);
    assertThat(pace.achieved(1).activeNanos())
        .isEqualTo(Duration.ofMillis(4_100).plus(StreamPace.DESTINATION_PAUSE).toNanos());
  }

  @Test
  void anUploadHasARateOnceItHasBeenAnswered() {
    look(MIB, 0, 100);
    assertThat(pace.achieved(-1).bulk()).isFalse();
    look(MIB, 10, 3_900);
    assertThat(pace.achieved(1).bulk()).isTrue();
    assertThat(pace.achieved(1).activeNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
    look(2 * MIB, 10, 100);
    assertThat(pace.achieved(1).bulk()).isFalse();
  }

  @Test
  void anUploadThatHasCompletedHasBeenDelivered() {
    look(MIB, 0, 100);
    now += Duration.ofMillis(3_900).toNanos();
    pace.completed(now);
    assertThat(pace.achieved(-1).bulk()).isTrue();
    assertThat(pace.achieved(-1).activeNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
  }

  @Test
  void littleIsBulkOnlyWhereItTookLong() {
    look(10, StreamPace.BULK_BYTES - 1, 500);
    assertThat(pace.achieved(1).bulk()).isFalse();
    look(10, StreamPace.BULK_BYTES, 100);
    assertThat(pace.achieved(1).bulk()).isTrue();

    StreamPace slow = new StreamPace(0);
    slow.look(0, StreamPace.SLOW_BULK_BYTES, StreamPace.BULK_TIME.toNanos() - 1);
    assertThat(slow.achieved(1).bulk()).isFalse();
    slow.look(0, StreamPace.SLOW_BULK_BYTES + 1, StreamPace.BULK_TIME.toNanos());
    assertThat(slow.achieved(1).bulk()).isTrue();

    StreamPace typed = new StreamPace(0);
    for (int second = 1; second <= 60; second++) {
      typed.look(second, second * 100L, Duration.ofSeconds(second).toNanos());
    }
    assertThat(typed.achieved(1).bulk()).isFalse();
  }

  private void look(long forward, long backward, long millisLater) {
    now += Duration.ofMillis(millisLater).toNanos();
    pace.look(forward, backward, now);
  }
}
