package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NtpTimestampTest {

  /**
   * RFC 5905, figure 4: 1 January 1970 is second 2,208,988,800 and 31 December 1999 3,155,587,200.
   */
  @ParameterizedTest
  @CsvSource({"1970-01-01T00:00:00Z, 2208988800", "1999-12-31T00:00:00Z, 3155587200"})
  void countsSecondsSince1900(Instant instant, long seconds) {
    assertThat(NtpTimestamp.of(instant) >>> 32).isEqualTo(seconds);
  }

  @Test
  void countsFractionsInPowersOfTwo() {
    long half = NtpTimestamp.of(Instant.parse("2026-01-01T00:00:00.5Z"));
    assertThat(half).isEqualTo(0xED003780_80000000L);
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT0.000001S", "PT0.25S", "PT1S", "PT-0.3S", "PT-7.9S", "PT3600S"})
  void tellsDifferencesInBothDirections(Duration difference) {
    Instant from = Instant.parse("2026-03-04T05:06:07.89Z");
    long nanos =
        NtpTimestamp.nanosBetween(NtpTimestamp.of(from), NtpTimestamp.of(from.plus(difference)));
    assertThat(nanos).isCloseTo(difference.toNanos(), within(2L));
  }

  @Test
  void tellsDifferencesAcrossTheEraOf2036() {
    long before = NtpTimestamp.of(Instant.parse("2036-02-07T06:28:15.9Z"));
    long after = NtpTimestamp.of(Instant.parse("2036-02-07T06:28:16.1Z"));
    assertThat(NtpTimestamp.nanosBetween(before, after)).isCloseTo(200_000_000L, within(2L));
  }
}
