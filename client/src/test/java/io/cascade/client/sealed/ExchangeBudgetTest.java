package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Strangers who begin exchanges cost a bounded time, and put nobody off for long. */
class ExchangeBudgetTest {
  private static final long NOW = 1_000_000_000_000L;
  private static final long EACH = Duration.ofMillis(50).toNanos();

  private final ExchangeBudget budget = new ExchangeBudget(NOW);

  @Test
  void twentyBeginAtOnceAndTwentyInEachSecond() {
    for (int i = 0; i < 20; i++) {
      assertThat(budget.turn(NOW).orElseThrow()).isLessThanOrEqualTo(0);
    }
    assertThat(budget.turn(NOW)).hasValue(EACH);
    assertThat(budget.turn(NOW + EACH)).hasValue(EACH);
    assertThat(budget.turn(NOW + 5 * EACH)).hasValue(-2 * EACH);
  }

  @Test
  void whoeverWouldWaitForLongIsTurnedAwayAndPutsNobodyOff() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      assertThat(budget.turn(NOW).orElse(0)).isLessThanOrEqualTo(Duration.ofSeconds(2).toNanos());
    }
    assertThat(budget.await(NOW)).isFalse();

    assertThat(budget.turn(NOW + EACH)).hasValue(Duration.ofSeconds(2).toNanos());
  }
}
