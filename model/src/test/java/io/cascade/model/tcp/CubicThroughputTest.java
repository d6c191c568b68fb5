package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CubicThroughputTest {

  /**
   * RFC 9438, Tables 1 and 2, column C = 0.4. The tables take Reno's window as 1.2/√p, this model
   * as √1.5/√p, and truncate: hence the 3 %.
   */
  @ParameterizedTest
  @CsvSource({
    "0.1, 1e-2, 12",
    "0.1, 1e-3, 38",
    "0.1, 1e-4, 187",
    "0.1, 1e-5, 1054",
    "0.1, 1e-6, 5926",
    "0.1, 1e-7, 33325",
    "0.1, 1e-8, 187400",
    "0.01, 1e-2, 12",
    "0.01, 1e-3, 38",
    "0.01, 1e-4, 120",
    "0.01, 1e-5, 379",
    "0.01, 1e-6, 1200",
    "0.01, 1e-7, 5926",
    "0.01, 1e-8, 33325"
  })
  void hasTheWindowsOfTheRfc(double rttSeconds, double loss, double packets) {
    assertThat(CubicThroughput.windowPackets(rttSeconds, loss))
        .isCloseTo(packets, within(0.03 * packets));
  }

  @Test
  void isRenoFriendlyWhereLossExceedsTheCubeOfTheRoundTrip() {
    double rtt = 0.1;
    double border = 0.5481 * Math.pow(rtt, 3);
    double renoAbove = Math.sqrt(1.5 / (border * 1.01));
    double renoBelow = Math.sqrt(1.5 / (border * 0.99));
    assertThat(CubicThroughput.windowPackets(rtt, border * 1.01)).isEqualTo(renoAbove);
    assertThat(CubicThroughput.windowPackets(rtt, border * 0.99)).isGreaterThan(renoBelow);
  }

  @Test
  void turnsWindowsIntoBits() {
    double rate = new CubicThroughput().bitsPerSecond(PathConditions.uncapped(0.1, 1e-4, 1448));
    assertThat(rate).isCloseTo(187.4 * 1448 * 8 / 0.1, within(0.001 * rate));
  }
}
