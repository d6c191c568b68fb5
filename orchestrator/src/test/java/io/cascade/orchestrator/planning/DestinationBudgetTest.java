package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DestinationBudgetTest {
  private static final HostPort HERE = new HostPort("192.0.2.1", 9000);
  private static final HostPort THERE = new HostPort("192.0.2.2", 9000);

  private final AtomicLong nanos = new AtomicLong();
  private final DestinationBudget budget =
      new DestinationBudget(new Timekeeper(Clock.systemUTC(), nanos::get));

  @Test
  void anHourHasSoManyConnectionsAndNoMore() {
    assertThat(budget.take(HERE, 42, 0)).isEqualTo(42);
    assertThat(budget.take(HERE, 150, 0)).isEqualTo(150);
    assertThat(budget.take(HERE, 42, 0)).as("what is left").isEqualTo(8);
    assertThat(budget.take(HERE, 42, 0)).isZero();
  }

  @Test
  void whoLeavesAReserveGetsNoneOfIt() {
    assertThat(budget.take(HERE, 300, 40)).isEqualTo(160);
    assertThat(budget.take(HERE, 42, 40)).isZero();
    assertThat(budget.take(HERE, 42, 0)).isEqualTo(40);
    assertThat(budget.take(HERE, 42, 40)).as("of an hour that is used up").isZero();
  }

  @Test
  void eachDestinationHasItsOwn() {
    budget.take(HERE, 200, 0);

    assertThat(budget.take(THERE, 8, 0)).isEqualTo(8);
  }

  @Test
  void whatWasNotMadeIsThereAgain() {
    budget.take(HERE, 200, 0);
    budget.giveBack(HERE, 8);
    budget.giveBack(THERE, 8);

    assertThat(budget.take(HERE, 42, 0)).isEqualTo(8);
    assertThat(budget.left(THERE)).isEqualTo(200);
  }

  @Test
  void theNextHourBeginsAnew() {
    budget.take(HERE, 200, 0);
    nanos.addAndGet(Duration.ofMinutes(59).toNanos());
    assertThat(budget.take(HERE, 1, 0)).isZero();

    nanos.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(budget.take(HERE, 8, 0)).isEqualTo(8);
  }
}
