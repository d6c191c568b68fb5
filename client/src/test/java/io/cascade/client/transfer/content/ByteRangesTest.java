package io.cascade.client.transfer.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangesTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void countAsABitForEachByteDoes(long seed) {
    Random random = new Random(seed);
    ByteRanges ranges = new ByteRanges();
    BitSet bits = new BitSet();
    for (int i = 0; i < 2_000; i++) {
      int start = random.nextInt(1_000);
      int end = start + random.nextInt(1 + random.nextInt(30));
      int before = bits.cardinality();
      bits.set(start, end);

      assertThat(ranges.add(start, end)).isEqualTo(bits.cardinality() - before);
      assertThat(ranges.bytes()).isEqualTo(bits.cardinality());
      assertThat(ranges.contiguous()).isEqualTo(bits.nextClearBit(0));
      long runs = bits.stream().filter(bit -> bit == 0 || !bits.get(bit - 1)).count();
      assertThat(ranges.count()).isEqualTo((int) runs);
    }
  }
}
