package io.cascade.coding.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RlcCoefficientsTest {
  /** RFC 8682 figure 2: the first 50 numbers for seed 1. */
  private static final long[] RFC_8682 = {
    2545341989L, 981918433L, 3715302833L, 2387538352L, 3591001365L,
    3820442102L, 2114400566L, 2196103051L, 2783359912L, 764534509L,
    643179475L, 1822416315L, 881558334L, 4207026366L, 3690273640L,
    3240535687L, 2921447122L, 3984931427L, 4092394160L, 44209675L,
    2188315343L, 2908663843L, 1834519336L, 3774670961L, 3019990707L,
    4065554902L, 1239765502L, 4035716197L, 3412127188L, 552822483L,
    161364450L, 353727785L, 140085994L, 149132008L, 2547770827L,
    4064042525L, 4078297538L, 2057335507L, 622384752L, 2041665899L,
    2193913817L, 1080849512L, 33160901L, 662956935L, 642999063L,
    3384709977L, 1723175122L, 3866752252L, 521822317L, 2292524454L
  };

  /** RFC 8681 appendix A: the same through rand256, and through rand16. */
  private static final int[] RFC_8681_256 = {
    37, 225, 177, 176, 21, 246, 54, 139, 168, 237, 211, 187, 62, 190, 104, 135, 210, 99, 176, 11,
    207, 35, 40, 113, 179, 214, 254, 101, 212, 211, 226, 41, 234, 232, 203, 29, 194, 211, 112, 107,
    217, 104, 197, 135, 23, 89, 210, 252, 109, 166
  };

  private static final int[] RFC_8681_16 = {
    5, 1, 1, 0, 5, 6, 6, 11, 8, 13, 3, 11, 14, 14, 8, 7, 2, 3, 0, 11, 15, 3, 8, 1, 3, 6, 14, 5, 4,
    3, 2, 9, 10, 8, 11, 13, 2, 3, 0, 11, 9, 8, 5, 7, 7, 9, 2, 12, 13, 6
  };

  @Test
  void generatorGivesTheNumbersOfRfc8682() {
    TinyMt32 generator = new TinyMt32(1);
    for (long expected : RFC_8682) {
      assertThat(Integer.toUnsignedLong(generator.next())).isEqualTo(expected);
    }
  }

  @Test
  void generatorGivesTheNumbersOfRfc8681InItsTwoRanges() {
    TinyMt32 bytes = new TinyMt32(1);
    TinyMt32 nibbles = new TinyMt32(1);
    for (int i = 0; i < RFC_8681_256.length; i++) {
      assertThat(bytes.next256()).isEqualTo(RFC_8681_256[i]);
      assertThat(nibbles.next16()).isEqualTo(RFC_8681_16[i]);
    }
  }

  @Test
  void aDenseRowIsTheGeneratorsNumbersWithoutZeros() {
    byte[] row = new byte[50];
    new RlcCoefficients().fill(1, RlcCoefficients.DENSE, row, row.length);
    for (int i = 0; i < row.length; i++) {
      assertThat(row[i] & 0xff).isEqualTo(RFC_8681_256[i]);
    }
  }

  @Test
  void aSparseRowIsNotZeroInTheShareThatItsDensitySays() {
    byte[] row = new byte[RlcCoefficients.MOST_SYMBOLS];
    new RlcCoefficients().fill(77, 3, row, row.length);
    int set = 0;
    for (byte coefficient : row) {
      set += coefficient == 0 ? 0 : 1;
    }
    assertThat((double) set / row.length).isBetween(0.23, 0.27);
  }

  @Test
  void refusesKeysThatAreNone() {
    assertThatThrownBy(() -> new RlcCoefficients().fill(1 << 16, 15, new byte[1], 1))
        .hasMessageContaining("65536");
  }
}
