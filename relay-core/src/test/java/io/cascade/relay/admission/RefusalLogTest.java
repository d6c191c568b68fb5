package io.cascade.relay.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final RefusalLog log = new RefusalLog(lines::add, nanos::get);

  @Test
  void oneIsToldAtOnceAndManyAreOneLineInTenSeconds() {
    log.refused("one");
    log.refused("two");
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    log.refused("three");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    log.refused("four");
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    log.refused("five");

    assertThat(lines).containsExactly("one", "four; 2 more since the line before", "five");
  }

  @Test
  void whatAClientWroteStaysWithinItsLine() {
    log.refused("a name\nwith a line of its own");

    assertThat(lines).singleElement().asString().doesNotContain("\n");
  }
}
