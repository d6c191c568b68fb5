package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YieldWatchTest {
  private final YieldWatch watch = new YieldWatch();

  @Test
  void aRateThatIsTakenLittleByLittleIsSeen() {
    for (double rate = 1_000; rate > 700; rate -= 10) {
      watch.round(rate, true);
      assertThat(watch.isYielding()).isFalse();
    }
    watch.round(690, true);
    assertThat(watch.isYielding()).isTrue();
  }

  @Test
  void aPathThatCarriesLessAllAtOnceIsNobodysDoing() {
    for (int round = 0; round < 10; round++) {
      watch.round(1_000, true);
    }
    for (int round = 0; round < 50; round++) {
      watch.round(round == 0 ? 600 : 250, true);
      assertThat(watch.isYielding()).isFalse();
    }
  }

  @Test
  void anApplicationThatSendsLessYieldsNothing() {
    for (double rate = 1_000; rate > 100; rate -= 10) {
      watch.round(rate, false);
      assertThat(watch.isYielding()).isFalse();
    }
  }

  @Test
  void anotherBeginningForgets() {
    watch.round(1_000, true);
    watch.begin();
    watch.round(500, true);
    assertThat(watch.isYielding()).isFalse();
  }
}
