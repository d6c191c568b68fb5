package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class RefusedRegistrationsTest {
  private final RefusedRegistrations refused =
      new RefusedRegistrations(new Timekeeper(Clock.systemUTC(), () -> this.nanos));
  private long nanos;

  @Test
  void oneNameIsToldOnceInAWhile() {
    assertThat(refused.isWorthTelling("r1")).isTrue();
    assertThat(refused.isWorthTelling("r1")).isFalse();
    assertThat(refused.isWorthTelling("r2")).isTrue();

    nanos += RefusedRegistrations.PAUSE.toNanos();

    assertThat(refused.isWorthTelling("r1")).isTrue();
  }

  @Test
  void manyNamesAreNotToldAllAtOnce() {
    for (int i = 0; i < RefusedRegistrations.MOST_NAMES; i++) {
      assertThat(refused.isWorthTelling("r" + i)).isTrue();
    }
    assertThat(refused.isWorthTelling("another")).isFalse();

    nanos += RefusedRegistrations.PAUSE.toNanos();

    assertThat(refused.isWorthTelling("another")).isTrue();
  }
}
