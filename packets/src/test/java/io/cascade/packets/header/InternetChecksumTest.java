package io.cascade.packets.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {
  /** RFC 1071, section 3. */
  @Test
  void sumsAsTheRfcDoes() {
    byte[] bytes = HexFormat.of().parseHex("0001f203f4f5f6f7");

    assertThat(InternetChecksum.sum(bytes, 0, 8, 0)).isEqualTo(0x2ddf0);
    assertThat(InternetChecksum.of(0x2ddf0)).isEqualTo(~0xddf2 & 0xffff);
  }

  @Test
  void anOddByteCountsAsIfAZeroFollowed() {
    byte[] odd = HexFormat.of().parseHex("000112");
    byte[] even = HexFormat.of().parseHex("00011200");

    assertThat(InternetChecksum.sum(odd, 0, 3, 0)).isEqualTo(InternetChecksum.sum(even, 0, 4, 0));
  }

  /** RFC 1624, section 4: where the older equation gave 0xffff. */
  @Test
  void updatesAsTheRfcDoes() {
    assertThat(InternetChecksum.updated(0xdd2f, 0x5555, 0x3285)).isZero();
  }
}
