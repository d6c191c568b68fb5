package io.cascade.coding.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By the bits of factors (0 and 2), and one product after the other (the most). */
class SumsOfBlocksTest {
  private static final int MOST_BYTES = 1_500;

  @ParameterizedTest
  @ValueSource(ints = {0, 2, Integer.MAX_VALUE})
  void weightedSumsAreSumsOfProducts(int mostOneByOne) {
    SplittableRandom random = new SplittableRandom(3);
    WeightedSum sum = new WeightedSum(200, MOST_BYTES, mostOneByOne);
    for (int count = 0; count <= 200; count++) {
      int length = random.nextInt(1, MOST_BYTES);
      byte[] one = bytes(random, length);
      byte[] other = one.clone();
      sum.clear();
      for (int i = 0; i < count; i++) {
        byte[] block = bytes(random, length);
        int factor = random.nextInt(256);
        sum.add(block, factor);
        GaloisField.addProduct(other, block, length, factor);
      }
      sum.addTo(one, length);
      assertThat(one).as("%d blocks of %d bytes", count, length).isEqualTo(other);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, Integer.MAX_VALUE})
  void multiplesAreProducts(int mostOneByOne) {
    SplittableRandom random = new SplittableRandom(4);
    Multiples multiples = new Multiples(MOST_BYTES, mostOneByOne);
    for (int round = 0; round < 20; round++) {
      int length = random.nextInt(1, MOST_BYTES);
      byte[] block = bytes(random, length);
      multiples.of(block, length);
      for (int factor = 0; factor < 256; factor++) {
        byte[] one = bytes(random, length);
        byte[] other = one.clone();
        multiples.addTo(one, factor);
        GaloisField.addProduct(other, block, length, factor);
        assertThat(one).as("%d times %d bytes", factor, length).isEqualTo(other);
      }
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
