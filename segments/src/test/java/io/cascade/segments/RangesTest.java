package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RangesTest {
  @Test
  void isASetOfOffsets() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Ranges ranges = new Ranges();
      BitSet expected = new BitSet();
      for (int step = 0; step < 60; step++) {
        int start = random.nextInt(64);
        int end = start + random.nextInt(12);
        if (random.nextBoolean()) {
          ranges.add(start, end);
          expected.set(start, end);
        } else {
          ranges.remove(start, end);
          expected.clear(start, end);
        }
        check(ranges, expected);
      }
    }
  }

  private static void check(Ranges ranges, BitSet expected) {
    assertThat(ranges.size()).isEqualTo(expected.cardinality());
    int count = 0;
    int start = expected.nextSetBit(0);
    Ranges.Range range = ranges.first();
    while (start >= 0) {
      int end = expected.nextClearBit(start);
      assertThat(range).isEqualTo(new Ranges.Range(start, end));
      assertThat(ranges.from(end - 1)).isEqualTo(range);
      count++;
      start = expected.nextSetBit(end);
      range = ranges.from(end);
    }
    assertThat(range).isNull();
    assertThat(ranges.count()).isEqualTo(count);
  }
}
