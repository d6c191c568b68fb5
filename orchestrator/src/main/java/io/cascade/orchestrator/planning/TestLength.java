package io.cascade.orchestrator.planning;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * How much pairs of tests tell of a longer transfer. Every test begins with a small window, and
 * what is over before that has grown says little of what follows.
 *
 * @param bytes of the largest test that both ways had
 * @param seconds of the shortest
 * @param rttSeconds longest of the ways' shortest round trips; 0 where that is unknown
 */
record TestLength(long bytes, double seconds, double rttSeconds) {
  private static final long MEBIBYTE = 1 << 20;

  /** Of no test. */
  static final TestLength NONE = new TestLength(0, 0, 0);

  /** A transfer of so many times the bytes is taken to go as the tests did. */
  private static final long MOST_TIMES_LONGER = 8;

  /** After so many a window no longer grows as it does in the beginning. */
  private static final double ROUND_TRIPS = 20;

  /** The same with a pair more. */
  TestLength and(TestLength other) {
    return new TestLength(
        Math.max(bytes, other.bytes),
        Math.min(seconds, other.seconds),
        Math.max(rttSeconds, other.rttSeconds));
  }

  /**
   * Whether the tests tell which way is faster for a transfer.
   *
   * @param wanted its bytes; empty where that is unknown
   */
  boolean tellsOf(OptionalLong wanted) {
    boolean longEnough = rttSeconds > 0 && seconds >= ROUND_TRIPS * rttSeconds;
    return longEnough || (wanted.isPresent() && wanted.getAsLong() <= MOST_TIMES_LONGER * bytes);
  }

  /** What a plan says for a transfer that they do not tell of. */
  String words() {
    String size =
        bytes < MEBIBYTE
            ? bytes / 1_024 + " KiB"
            : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / MEBIBYTE);
    return "Compared over " + size + " only: a longer transfer may differ.";
  }
}
