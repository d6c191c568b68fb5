package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailoverTimesTest {
  private final FailoverTimes times = new FailoverTimes();

  @Test
  void oneRoundBeyondTheGoalBreaksIt() {
    add("killed", 12_000);
    add("killed", 15_000);
    add("paused", 12_000);
    add("paused", 15_001);

    assertThat(times.table().lines())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).startsWith("| killed | 2 |").contains("| holds |"))
        .anySatisfy(
            line -> assertThat(line).startsWith("| paused | 2 |").contains("| does not hold |"))
        .allSatisfy(line -> assertThat(line.chars().filter(one -> one == '|')).hasSize(7));
  }

  private void add(String fault, long ledMillis) {
    long led = TimeUnit.MILLISECONDS.toNanos(ledMillis);
    times.add(fault, 0, led, led + 1, led + 2);
  }
}
