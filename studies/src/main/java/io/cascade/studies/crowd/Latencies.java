package io.cascade.studies.crowd;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Durations in successive phases. Thread-safe. */
final class Latencies {
  private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);

  private volatile Histogram current = empty();

  private static Histogram empty() {
    return new ConcurrentHistogram(LONGEST_MICROS, 3);
  }

  void record(long nanos) {
    current.recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, LONGEST_MICROS));
  }

  /** Ends a phase and starts the next one. */
  Seconds next() {
    Histogram ended = current;
    current = empty();
    return new Seconds(
        ended.getTotalCount(),
        ended.getValueAtPercentile(50) / 1e6,
        ended.getValueAtPercentile(99) / 1e6,
        ended.getMaxValue() / 1e6);
  }

  /**
   * Durations of a phase in seconds.
   *
   * @param count number of durations; if it is 0, so are the others
   */
  record Seconds(long count, double median, double p99, double longest) {}
}
