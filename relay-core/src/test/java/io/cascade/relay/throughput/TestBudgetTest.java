package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TestBudgetTest {
  private final ManualClock clock = new ManualClock();
  private final TestBudget budget = new TestBudget(100, clock);

  @Test
  void whatIsTakenIsMissingForAnHourAndAMinute() {
    assertThat(budget.take(60)).isNotNull();
    assertThat(budget.leftBytes()).isEqualTo(40);
    assertThat(budget.take(41)).isNull();
    clock.pass(Duration.ofMinutes(61).minusNanos(1));
    assertThat(budget.leftBytes()).isEqualTo(40);
    clock.pass(Duration.ofNanos(1));
    assertThat(budget.leftBytes()).isEqualTo(100);
  }

  @Test
  void whatATestDidNotMoveIsGivenBackOnce() {
    TestBudget.Taken taken = Objects.requireNonNull(budget.take(80));
    taken.settle(30);
    taken.settle(30);
    assertThat(budget.leftBytes()).isEqualTo(70);
  }

  @Test
  void saysHowLongToWait() {
    assertThat(budget.take(50)).isNotNull();
    clock.pass(Duration.ofMinutes(10));
    assertThat(budget.take(50)).isNotNull();
    assertThat(budget.waitFor(50)).isEqualTo(Duration.ofMinutes(51));
    assertThat(budget.waitFor(51)).isEqualTo(Duration.ofMinutes(61));
    clock.pass(Duration.ofMinutes(51));
    assertThat(budget.waitFor(50)).isEqualTo(Duration.ZERO);
  }

  @Test
  void moreThanAnHoursBytesAreNeverAllowed() {
    assertThat(budget.take(101)).isNull();
    assertThat(budget.waitFor(101)).isNull();
    assertThat(new TestBudget(0, clock).take(1)).isNull();
  }

  @Test
  void anHourOfManySmallTestsAddsUp() {
    for (int test = 0; test < 100; test++) {
      assertThat(budget.take(1)).isNotNull();
      clock.pass(Duration.ofSeconds(30));
    }
    assertThat(budget.take(1)).isNull(); // the last 50 minutes took all
  }
}
