package io.cascade.coding.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GaloisFieldTest {
  @Test
  void powersOfTwoAreThoseOfRfc5510() {
    int[] first = {
      1, 2, 4, 8, 16, 32, 64, 128, 29, 58, 116, 232, 205, 135, 19, 38, 76, 152, 45, 90
    };
    for (int i = 0; i < first.length; i++) {
      assertThat(GaloisField.power(i)).as("2^%d", i).isEqualTo(first[i]);
    }
    assertThat(GaloisField.power(254)).isEqualTo(142);
  }

  @Test
  void productsAreThoseOfPolynomials() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertThat(GaloisField.multiply(a, b)).isEqualTo(longProduct(a, b));
      }
    }
  }

  private static int longProduct(int a, int b) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product <<= 1;
      if (product > 255) {
        product ^= 0x11d;
      }
      if (((b >> bit) & 1) != 0) {
        product ^= a;
      }
    }
    return product;
  }

  @Test
  void everyElementButZeroHasAnInverse() {
    for (int a = 1; a < 256; a++) {
      assertThat(GaloisField.multiply(a, GaloisField.inverse(a))).isEqualTo(1);
    }
    assertThatThrownBy(() -> GaloisField.inverse(0)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void blocksAreHandledByteByByteAtAnyLength() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length = 0; length < 40; length++) {
      for (int factor : new int[] {0, 1, 2, 87, 255}) {
        byte[] target = bytes(random, length);
        byte[] source = bytes(random, length);
        byte[] expected = target.clone();
        for (int i = 0; i < length; i++) {
          expected[i] ^= (byte) GaloisField.multiply(factor, source[i]);
        }
        GaloisField.addProduct(target, source, length, factor);
        assertThat(target).isEqualTo(expected);
      }
    }
  }

  @Test
  void bothKernelsGiveTheSameBytes() {
    assertThat(GaloisField.kernel()).isEqualTo("vector");
    byte[] product = new byte[1 << 16];
    for (int i = 0; i < product.length; i++) {
      product[i] = (byte) GaloisField.multiply(i >> 8, i & 0xff);
    }
    GaloisKernel vector = KernelChoice.of(product);
    GaloisKernel scalar = new ScalarKernel(product);
    SplittableRandom random = new SplittableRandom(2);
    for (int factor = 0; factor < 256; factor++) {
      int length = random.nextInt(1_500);
      byte[] source = bytes(random, length);
      byte[] one = bytes(random, length);
      byte[] other = one.clone();
      vector.addProduct(one, source, length, factor);
      scalar.addProduct(other, source, length, factor);
      assertThat(one).isEqualTo(other);
      vector.scale(one, length, factor);
      scalar.scale(other, length, factor);
      assertThat(one).isEqualTo(other);
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
