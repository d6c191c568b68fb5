package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final UUID CHAIN = new UUID(0, 1);

  private final AtomicLong nanos = new AtomicLong();
  private final Retries retries =
      new Retries(new Timekeeper(Clock.systemUTC(), nanos::get), new Jitter(new Random(1)));

  private void passes(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void whatNeverFailedIsDue() {
    assertThat(retries.due(CHAIN)).isTrue();
  }

  @Test
  void waitsTwiceAsLongAfterEveryFailureUpToHalfAMinute() {
    Duration wait = Retries.FIRST_WAIT;
    for (int failures = 1; failures <= 10; failures++) {
      retries.failed(CHAIN);
      passes(wait.multipliedBy(3).dividedBy(4).minusMillis(1));
      assertThat(retries.due(CHAIN)).as("too early after failure %d", failures).isFalse();
      passes(wait.dividedBy(4).plusMillis(1));
      assertThat(retries.due(CHAIN)).as("after failure %d", failures).isTrue();
      wait = failures < 7 ? wait.multipliedBy(2) : wait;
    }
    assertThat(wait).isEqualTo(Duration.ofSeconds(32));
  }

  @Test
  void beginsAnewOnceForgotten() {
    retries.failed(CHAIN);
    retries.failed(CHAIN);
    retries.forget(CHAIN);
    assertThat(retries.due(CHAIN)).isTrue();
    retries.failed(CHAIN);
    passes(Retries.FIRST_WAIT);
    assertThat(retries.due(CHAIN)).isTrue();
  }
}
