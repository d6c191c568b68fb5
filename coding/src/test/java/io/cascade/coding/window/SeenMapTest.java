package io.cascade.coding.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeenMapTest {
  private static final int CAPACITY = 256;

  /** The same answers as a set of ids gives, through many turns of the ring. */
  @Test
  void findsTheNextUnseenSymbol() {
    SplittableRandom random = new SplittableRandom(3);
    SeenMap map = new SeenMap(CAPACITY);
    Set<Long> seen = new HashSet<>();
    long end = 0;
    for (int step = 0; step < 20_000; step++) {
      end += random.nextInt(3);
      map.extend(end);
      if (end > 0 && random.nextInt(3) > 0) {
        long id = Math.max(0, end - 1 - random.nextInt(CAPACITY / 2));
        map.note(id);
        seen.add(id);
      }
      long from = Math.max(0, end - random.nextInt(CAPACITY / 2));
      long expected = from;
      while (expected < end && seen.contains(expected)) {
        expected++;
      }
      assertThat(map.nextUnseen(from, end)).isEqualTo(expected);
    }
  }
}
