package io.cascade.orchestrator.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JitterTest {
  private static final Duration MOST = Duration.ofSeconds(8);

  @Test
  void takesAnyTimeBetweenThreeQuartersAndAllOfIt() {
    Jitter jitter = new Jitter(new Random(1));
    var times = Stream.generate(() -> jitter.within(MOST)).limit(1_000).sorted().toList();

    assertThat(times.getFirst()).isBetween(Duration.ofMillis(6_000), Duration.ofMillis(6_050));
    assertThat(times.getLast()).isBetween(Duration.ofMillis(7_950), MOST);
    assertThat(times.get(500)).isBetween(Duration.ofMillis(6_900), Duration.ofMillis(7_100));
  }
}
