package io.cascade.studies.beside;

import io.cascade.studies.report.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of a running stream beside a test.
 *
 * @param cell the stream and the test
 * @param number of the repetition, from 1
 * @param latency of small messages; null for bulk
 * @param bitsPerSecond of bulk; null for small messages
 * @param outcome of the test or train, in words
 * @param load average of the machine
 */
record BesideRun(
    BesideCell cell,
    int number,
    @Nullable Latency latency,
    @Nullable Double bitsPerSecond,
    String outcome,
    double load) {
  static String key(BesideCell cell, int number) {
    return cell + " " + number;
  }

  String key() {
    return key(cell, number);
  }

  /**
   * Round trips of messages in milliseconds.
   *
   * @param count number of messages
   */
  record Latency(int count, double median, double p95, double p99, double most) {
    static Latency of(double[] sortedMillis) {
      int count = sortedMillis.length;
      if (count == 0) {
        throw new IllegalStateException("no message came back");
      }
      return new Latency(
          count,
          Sample.median(sortedMillis),
          sortedMillis[(int) (0.95 * (count - 1))],
          sortedMillis[(int) (0.99 * (count - 1))],
          sortedMillis[count - 1]);
    }
  }
}
