package io.cascade.links;

import java.util.ArrayList;
import java.util.List;

/** The longest a queue was in each of the last few thousand intervals. */
final class QueueHistory {
  static final long INTERVAL_NANOS = 20_000_000;
  private static final int INTERVALS = 1 << 14;

  private final long startNanos;
  private final long[] longest = new long[INTERVALS];
  private long current;

  QueueHistory(long startNanos) {
    this.startNanos = startNanos;
  }

  /**
   * @param before the length since the last call
   * @param after the length from now on
   */
  void changed(long nowNanos, long before, long after) {
    long interval = (nowNanos - startNanos) / INTERVAL_NANOS;
    long first = Math.max(current, interval - INTERVALS);
    while (first < interval) {
      first++;
      longest[(int) (first & (INTERVALS - 1))] = before;
    }
    current = Math.max(current, interval);
    int at = (int) (current & (INTERVALS - 1));
    longest[at] = Math.max(longest[at], after);
  }

  /** Samples of the intervals that ended after a time. */
  List<QueueSample> since(double seconds) {
    List<QueueSample> samples = new ArrayList<>();
    for (long i = Math.max(0, current - INTERVALS + 1); i <= current; i++) {
      double end = (i + 1) * (INTERVAL_NANOS / 1e9);
      if (end > seconds) {
        samples.add(new QueueSample(end, longest[(int) (i & (INTERVALS - 1))]));
      }
    }
    return samples;
  }
}
