package io.cascade.relay.probe;

import java.time.Instant;

/**
 * The 64-bit NTP timestamp format (RFC 5905, section 6): seconds since 1 January 1900 in the upper
 * half, fractions of 2<sup>-32</sup> s in the lower one. The era that begins in 2036 makes the
 * seconds wrap; differences stay right.
 *
 * <p>Example: 2026-01-01T00:00:00.5Z is {@code 0xED003780_80000000}.
 */
final class NtpTimestamp {
  private static final long SECONDS_FROM_1900_TO_1970 = 2_208_988_800L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private NtpTimestamp() {}

  static long of(Instant instant) {
    long seconds = instant.getEpochSecond() + SECONDS_FROM_1900_TO_1970;
    long fraction = (((long) instant.getNano()) << 32) / NANOS_PER_SECOND;
    return (seconds << 32) | fraction;
  }

  /** Nanoseconds from one to another; negative where {@code to} is the earlier one. */
  static long nanosBetween(long from, long to) {
    long difference = to - from;
    long seconds = difference >> 32;
    long fraction = difference & 0xFFFF_FFFFL;
    return seconds * NANOS_PER_SECOND + ((fraction * NANOS_PER_SECOND) >>> 32);
  }
}
