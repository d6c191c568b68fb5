package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.model.planning.PairedComparison;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WayComparisonsTest {
  private static final PairedComparison OPEN = PairedComparison.NONE.and(3, 1).and(1, 3).and(2, 1);
  private static final PairedComparison DECIDED =
      PairedComparison.NONE.and(2, 1).and(2.01, 1).and(1.99, 1);

  private final AtomicLong nanos = new AtomicLong();
  private final WayComparisons comparisons =
      new WayComparisons(new Timekeeper(Clock.systemUTC(), nanos::get));

  @Test
  void aDecisionCountsForAQuarterOfAnHour() {
    comparisons.compared(ways("mid"), new WayComparisons.Outcome(DECIDED, 10, null));
    pass(Duration.ofMinutes(14));

    assertThat(comparisons.find(ways("mid"))).isPresent();
    assertThat(comparisons.document(ways("mid")))
        .hasValueSatisfying(one -> assertThat(one.ageSeconds()).isEqualTo(840));

    pass(Duration.ofMinutes(1));
    assertThat(comparisons.find(ways("mid"))).isEmpty();
    assertThat(comparisons.document(ways("mid"))).isEmpty();
  }

  @Test
  void whatDecidedNothingMayBeTestedAgainAfterFiveMinutes() {
    comparisons.compared(ways("mid"), new WayComparisons.Outcome(OPEN, 10, "30 s were over"));
    pass(Duration.ofMinutes(4));
    assertThat(comparisons.find(ways("mid"))).isPresent();
    pass(Duration.ofMinutes(1));
    assertThat(comparisons.find(ways("mid"))).isEmpty();
  }

  @Test
  void itIsOfTheseWaysAlone() {
    comparisons.compared(ways("mid"), new WayComparisons.Outcome(DECIDED, 10, null));
    assertThat(comparisons.find(ways("mid", "far"))).isEmpty();
    assertThat(comparisons.find(ways("far"))).isEmpty();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static TestedWays ways(String... relays) {
    return new TestedWays(
        "near", List.of(relays), "there", null, null, ChainOptions.builder().build());
  }
}
