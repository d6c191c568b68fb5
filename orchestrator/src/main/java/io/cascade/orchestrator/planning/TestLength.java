package io.cascade.orchestrator.planning;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * How far pairs of tests predict a longer transfer. A test begins with a small congestion window;
 * one that ends before the window has grown shows little of the rate that follows.
 *
 * @param bytes size of the largest test that both ways had
 * @param seconds duration of the shortest test
 * @param rttSeconds the longer of the two ways' minimum round-trip times; 0 if unknown
 */
record TestLength(long bytes, double seconds, double rttSeconds) {
  private static final long MEBIBYTE = 1 << 20;

  /** Without a test. */
  static final TestLength NONE = new TestLength(0, 0, 0);

  /** Factor up to which a transfer may be larger than the tests. */
  private static final long MOST_TIMES_LONGER = 8;

  /** Round trips after which slow start has ended. */
  private static final double ROUND_TRIPS = 20;

  /** These tests and one more pair. */
  TestLength and(TestLength other) {
    return new TestLength(
        Math.max(bytes, other.bytes),
        Math.min(seconds, other.seconds),
        Math.max(rttSeconds, other.rttSeconds));
  }

  /**
   * Whether the tests show which way is faster for a transfer.
   *
   * @param wanted bytes of the transfer; empty if unknown
   */
  boolean tellsOf(OptionalLong wanted) {
    boolean longEnough = rttSeconds > 0 && seconds >= ROUND_TRIPS * rttSeconds;
    return longEnough || (wanted.isPresent() && wanted.getAsLong() <= MOST_TIMES_LONGER * bytes);
  }

  /** Note of a plan that is decided by tests. */
  String words() {
    String size =
        bytes < MEBIBYTE
            ? bytes / 1_024 + " KiB"
            : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / MEBIBYTE);
    return "Compared over " + size + " only: a longer transfer may differ.";
  }
}
