package io.cascade.orchestrator.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimekeeperTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTime moved = ManualTime.from(START);
  private final Timekeeper time = moved.timekeeper();

  @ParameterizedTest
  @ValueSource(longs = {-315_360_000, -3_600, 4, 61, 3_600, 315_360_000})
  void stepsOfTheTimeOfDayMoveNoDuration(long seconds) {
    long mark = time.mark();
    moved.pass(Duration.ofSeconds(10));
    moved.step(Duration.ofSeconds(seconds));
    assertThat(time.steady()).isEqualTo(START.plusSeconds(10));
    assertThat(time.now()).isEqualTo(START.plusSeconds(10 + seconds));
    assertThat(time.millisSince(mark)).isEqualTo(10_000);
    assertThat(time.passed(mark, Duration.ofSeconds(11))).isFalse();
  }

  @Test
  void whatIsShownFollowsTheTimeOfDayButNotItsSmallCorrections() {
    Instant then = time.steady();
    moved.pass(Duration.ofSeconds(30));
    assertThat(time.timeOfDay(then)).isEqualTo(START);
    moved.step(Duration.ofMillis(400));
    assertThat(time.timeOfDay(then)).isEqualTo(START);
    moved.step(Duration.ofHours(-1));
    assertThat(time.timeOfDay(then)).isEqualTo(START.minus(Duration.ofHours(1)));
  }

  @Test
  void nothingHasEndedBeyondDoubtBeforeThisProcessRanForSoLong() {
    Duration age = Duration.ofDays(2);
    moved.pass(age.minusSeconds(1));
    assertThat(time.endedFor(age)).isEqualTo(Instant.MIN);
    moved.pass(Duration.ofSeconds(1));
    assertThat(time.endedFor(age)).isEqualTo(START);
    moved.step(Duration.ofDays(3_650));
    assertThat(time.endedFor(age)).isEqualTo(START);
    moved.step(Duration.ofDays(-3_651));
    assertThat(time.endedFor(age)).isEqualTo(START.minus(Duration.ofDays(1)));
  }

  @Test
  void whatWasStoredIsNeverOfTheFuture() {
    moved.pass(Duration.ofMinutes(1));
    assertThat(time.steady(START)).isEqualTo(START);
    assertThat(time.steady(START.plus(Duration.ofHours(1)))).isEqualTo(START.plusSeconds(60));
    moved.step(Duration.ofHours(1));
    assertThat(time.steady(START)).isEqualTo(START.minus(Duration.ofHours(1)));
  }
}
