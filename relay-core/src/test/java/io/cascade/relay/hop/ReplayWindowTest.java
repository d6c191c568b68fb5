package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every counter once, in any order within the window. */
class ReplayWindowTest {
  @Test
  void acceptsEachCounterOnce() {
    ReplayWindow window = new ReplayWindow();
    assertThat(window.accept(1)).isTrue();
    assertThat(window.accept(1)).isFalse();
    assertThat(window.accept(3)).isTrue();
    assertThat(window.accept(2)).isTrue();
    assertThat(window.accept(2)).isFalse();
  }

  @Test
  void refusesWhatIsOlderThanTheWindowAndWhatIsNoCounter() {
    ReplayWindow window = new ReplayWindow();
    assertThat(window.accept(ReplayWindow.SIZE + 10L)).isTrue();
    assertThat(window.accept(10)).isFalse();
    assertThat(window.accept(11)).isTrue();
    assertThat(window.accept(0)).isFalse();
    assertThat(window.accept(-1)).isFalse();
    assertThat(window.accept(Long.MAX_VALUE)).isTrue();
    assertThat(window.accept(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void forgetsNothingWithinTheWindowWhenItJumps() {
    ReplayWindow window = new ReplayWindow();
    for (long counter = 1; counter <= ReplayWindow.SIZE; counter++) {
      assertThat(window.accept(counter)).isTrue();
    }
    assertThat(window.accept(ReplayWindow.SIZE + 100L)).isTrue();
    for (long counter = 1; counter <= ReplayWindow.SIZE; counter++) {
      assertThat(window.accept(counter)).isFalse();
    }
    assertThat(window.accept(ReplayWindow.SIZE + 99L)).isTrue();
  }

  @Test
  void isEmptyButForTheHighestAfterAJumpBeyondTheWindow() {
    ReplayWindow window = new ReplayWindow();
    for (long counter = 1; counter <= ReplayWindow.SIZE; counter++) {
      assertThat(window.accept(counter)).isTrue();
    }
    long far = 5L * ReplayWindow.SIZE + 3;
    assertThat(window.accept(far)).isTrue();
    for (long counter = far - ReplayWindow.SIZE + 1; counter < far; counter++) {
      assertThat(window.accept(counter)).isTrue();
    }
    assertThat(window.accept(far - ReplayWindow.SIZE)).isFalse();
    assertThat(window.accept(far)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void agreesWithAMemoryOfEverything(long seed) {
    Random random = new Random(seed);
    ReplayWindow window = new ReplayWindow();
    Set<Long> seen = new HashSet<>();
    long highest = 0;
    for (int i = 0; i < 200_000; i++) {
      long counter = Math.max(1, highest + random.nextInt(40_000) - 30_000);
      boolean expected = counter > highest - ReplayWindow.SIZE && seen.add(counter);
      assertThat(window.accept(counter)).isEqualTo(expected);
      highest = expected ? Math.max(highest, counter) : highest;
    }
  }
}
