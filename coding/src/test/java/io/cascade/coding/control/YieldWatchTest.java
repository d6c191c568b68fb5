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
    for (int round = 0; round < 10; round++) {
      watch.round(680, true);
    }
    assertThat(watch.isYielding()).isTrue();
  }

  /** What waited somewhere on the way arrives all at once, and the rate seems to be high. */
  @Test
  void oneRateThatIsTooHighIsNoReference() {
    for (int round = 0; round < 100; round++) {
      watch.round(round == 20 ? 1_600 : 1_000, true);
      assertThat(watch.isYielding()).isFalse();
    }
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

  /** It comes back slowly after a pause, since an application's first round trips are short. */
  @Test
  void whatAnApplicationHeldBackWasNotTaken() {
    for (int round = 0; round < 10; round++) {
      watch.round(1_000, true);
    }
    for (int round = 0; round < 10; round++) {
      watch.heldBack();
    }
    for (double rate = 100; rate < 1_000; rate += 50) {
      watch.round(rate, true);
      assertThat(watch.isYielding()).isFalse();
    }
  }

  /** Every ten rounds a probe holds the rate back, which is no path that has changed. */
  @Test
  void aRateThatIsTakenBetweenProbesIsSeen() {
    double rate = 1_000;
    for (int round = 0; rate > 700; round++) {
      if (round % 10 == 9) {
        watch.probing();
        watch.round(rate / 2, true);
        watch.round(0.9 * rate, true);
      } else {
        watch.round(rate, true);
      }
      assertThat(watch.isYielding()).isFalse();
      rate -= 10;
    }
    for (int round = 0; round < 12; round++) {
      watch.round(650, true);
    }
    assertThat(watch.isYielding()).isTrue();
  }

  @Test
  void anotherBeginningForgets() {
    watch.round(1_000, true);
    watch.begin();
    watch.round(500, true);
    assertThat(watch.isYielding()).isFalse();
  }
}
