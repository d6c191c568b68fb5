package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.model.planning.PairedComparison;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WayComparisonsTest {
  private static final PairedComparison OPEN = PairedComparison.NONE.and(3, 1).and(1, 3).and(2, 1);
  private static final PairedComparison DECIDED =
      PairedComparison.NONE.and(2, 1).and(2.01, 1).and(1.99, 1);
  private static final PairedComparison SLOWER =
      PairedComparison.NONE.and(1, 2).and(1, 2.01).and(1, 1.99);

  private final AtomicLong nanos = new AtomicLong();
  private final WayComparisons comparisons =
      new WayComparisons(new Timekeeper(Clock.systemUTC(), nanos::get));

  @Test
  void aDecisionCountsForAQuarterOfAnHour() {
    comparisons.compared(ways("mid"), outcome(DECIDED, null));
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
    comparisons.compared(ways("mid"), outcome(OPEN, "busy"));
    pass(Duration.ofMinutes(4));
    assertThat(comparisons.find(ways("mid"))).isPresent();
    pass(Duration.ofMinutes(1));
    assertThat(comparisons.find(ways("mid"))).isEmpty();
  }

  @Test
  void itIsOfTheseWaysAlone() {
    comparisons.compared(ways("mid"), outcome(DECIDED, null));
    assertThat(comparisons.find(ways("mid", "far"))).isEmpty();
    assertThat(comparisons.find(ways("far"))).isEmpty();
  }

  @Test
  void aFasterCascadeIsFoundByItsRelaysHoweverTheySend() {
    TestedWays other =
        new TestedWays(
            "near", List.of("mid"), "there", null, "bbr", ChainOptions.builder().build());
    comparisons.compared(ways("slow"), outcome(SLOWER, null));
    comparisons.compared(other, outcome(DECIDED, null));

    assertThat(comparisons.fasterThrough(ways("mid"))).contains(other);
    assertThat(comparisons.fasterThrough(ways("slow"))).isEmpty();
    assertThat(comparisons.fasterThrough(ways("far"))).isEmpty();
    pass(Duration.ofMinutes(15));
    assertThat(comparisons.fasterThrough(ways("mid"))).isEmpty();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static TestedWays ways(String... relays) {
    return new TestedWays(
        "near", List.of(relays), "there", null, null, ChainOptions.builder().build());
  }

  private static WayComparisons.Outcome outcome(PairedComparison result, @Nullable String stopped) {
    return new WayComparisons.Outcome(result, 10, new TestLength(4 << 20, 1, 0.16), stopped);
  }

  @Test
  void aLongerTransferIsNotDecidedByShortTestsAndSaysSo() {
    comparisons.compared(ways("mid"), outcome(DECIDED, null));
    WayComparisons.Outcome found = comparisons.find(ways("mid")).orElseThrow();

    assertThat(found.decides(OptionalLong.of(32 << 20))).isTrue();
    assertThat(found.decides(OptionalLong.of((32 << 20) + 1))).isFalse();
    assertThat(found.decides(OptionalLong.empty())).isFalse();
    assertThat(comparisons.shown(plan(Decision.UNDECIDED), ways("mid")).notes())
        .hasSize(2)
        .last()
        .isEqualTo("Compared over 4.0 MiB only: a longer transfer may differ.");
    assertThat(comparisons.shown(plan(Decision.CASCADE), ways("mid")).notes()).isEmpty();
  }

  @Test
  void whatDecidesNothingSaysNothingOfLongerTransfers() {
    comparisons.compared(ways("mid"), outcome(OPEN, null));

    assertThat(comparisons.find(ways("mid")).orElseThrow().decides(OptionalLong.of(1))).isFalse();
    assertThat(comparisons.shown(plan(Decision.UNDECIDED), ways("mid")).notes())
        .singleElement()
        .asString()
        .startsWith("Compared and still undecided");
  }

  private static Plan plan(Decision decision) {
    return Plan.builder()
        .destination("there:1")
        .decision(decision)
        .summary("by the model")
        .plannedAt(Instant.EPOCH)
        .candidates(List.of())
        .notes(List.of())
        .build();
  }
}
