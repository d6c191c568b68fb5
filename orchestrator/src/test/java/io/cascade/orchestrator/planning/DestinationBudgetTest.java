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
    assertThat(take(HERE, 42, 0)).isEqualTo(42);
    assertThat(take(HERE, 150, 0)).isEqualTo(150);
    assertThat(take(HERE, 42, 0)).as("what is left").isEqualTo(8);
    assertThat(take(HERE, 42, 0)).isZero();
  }

  @Test
  void whoLeavesAReserveGetsNoneOfIt() {
    assertThat(take(HERE, 300, 40)).isEqualTo(160);
    assertThat(take(HERE, 42, 40)).isZero();
    assertThat(take(HERE, 42, 0)).isEqualTo(40);
    assertThat(take(HERE, 42, 40)).as("of an hour that is used up").isZero();
  }

  @Test
  void eachDestinationHasItsOwn() {
    take(HERE, 200, 0);

    assertThat(take(THERE, 8, 0)).isEqualTo(8);
  }

  @Test
  void whatWasNotMadeIsThereAgain() {
    take(HERE, 200, 0);
    budget.giveBack(HERE, 8);
    budget.giveBack(THERE, 8);

    assertThat(take(HERE, 42, 0)).isEqualTo(8);
    assertThat(budget.left(THERE)).isEqualTo(200);
  }

  @Test
  void theNextHourBeginsAnew() {
    take(HERE, 200, 0);
    nanos.addAndGet(Duration.ofMinutes(59).toNanos());
    assertThat(take(HERE, 1, 0)).isZero();

    nanos.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(take(HERE, 8, 0)).isEqualTo(8);
  }

  @Test
  void allPortsOfAHostTogetherHaveTenTimesAsMany() {
    for (int port = 1; port <= 10; port++) {
      assertThat(take(new HostPort("db.example", port), 200, 0)).isEqualTo(200);
    }

    assertThat(take(new HostPort("db.example", 11), 8, 0)).isZero();
    assertThat(take(new HostPort("DB.Example.", 11), 8, 0)).as("spelled otherwise").isZero();
    assertThat(budget.left(new HostPort("db.example", 11))).isZero();
    assertThat(take(new HostPort("db2.example", 11), 8, 0)).isEqualTo(8);
    budget.giveBack(new HostPort("db.example", 1), 8);
    assertThat(take(new HostPort("db.example", 11), 42, 0)).isEqualTo(8);
  }

  @Test
  void aCallerTakesHalfOfAHostAtTheMost() {
    for (int port = 1; port <= 5; port++) {
      assertThat(budget.take("client/a", new HostPort("db.example", port), 200, 0)).isEqualTo(200);
    }

    assertThat(budget.take("client/a", new HostPort("db.example", 6), 8, 0)).isZero();
    assertThat(budget.take("client/b", new HostPort("db.example", 6), 8, 0)).isEqualTo(8);
    nanos.addAndGet(Duration.ofMinutes(61).toNanos());
    assertThat(budget.take("client/a", new HostPort("db.example", 6), 8, 0)).isEqualTo(8);
  }

  @Test
  void whatSomebodySaysToHaveMadeLeavesOtherPortsTheirs() {
    for (int port = 1; port <= 20; port++) {
      budget.made("client/a", new HostPort("db.example", port), 200, 0);
    }

    assertThat(take(new HostPort("db.example", 1), 8, 0)).isZero();
    assertThat(take(new HostPort("db.example", 21), 8, 0)).isEqualTo(8);
  }

  @Test
  void anAddressHasOneSpelling() {
    assertThat(take(new HostPort("2001:db8::1", 443), 200, 0)).isEqualTo(200);

    assertThat(take(new HostPort("2001:DB8:0:0::0:1", 443), 8, 0)).isZero();
  }

  @Test
  void noneIsForgottenBeforeItsHourIsOver() {
    take(HERE, 200, 0);
    nanos.addAndGet(Duration.ofMinutes(30).toNanos());
    for (int i = 1; i < DestinationBudget.MOST_DESTINATIONS; i++) {
      assertThat(take(new HostPort("h" + i, 1), 1, 0)).isEqualTo(1);
    }

    assertThat(take(THERE, 8, 0)).as("one more").isZero();
    assertThat(take(HERE, 8, 0)).isZero();
    assertThat(take(new HostPort("h1", 1), 8, 0)).as("one that is known").isEqualTo(8);

    nanos.addAndGet(Duration.ofMinutes(31).toNanos());
    assertThat(take(THERE, 8, 0)).isEqualTo(8);
    assertThat(take(HERE, 8, 0)).as("in the place of another").isZero();
  }

  @Test
  void aCallerNamesSoManyNewDestinationsAnHour() {
    for (int i = 0; i < DestinationBudget.NEW_OF_CALLER; i++) {
      assertThat(budget.take("client/a", new HostPort("h" + i, 1), 8, 0)).isEqualTo(8);
    }

    assertThat(budget.take("client/a", HERE, 8, 0)).isZero();
    assertThat(budget.take("client/a", new HostPort("h1", 1), 8, 0)).isEqualTo(8);
    assertThat(budget.take("client/b", HERE, 8, 0)).isEqualTo(8);
    assertThat(budget.take("client/a", HERE, 8, 0)).as("known by another").isEqualTo(8);
    assertThat(take(THERE, 8, 0)).as("nobody in particular").isEqualTo(8);
    nanos.addAndGet(Duration.ofMinutes(61).toNanos());
    assertThat(budget.take("client/a", HERE, 8, 0)).isEqualTo(8);
  }

  private int take(HostPort destination, int wanted, int reserve) {
    return budget.take(null, destination, wanted, reserve);
  }
}
