package io.cascade.coding.control;

import java.util.ArrayDeque;

/** The highest rate of the last minute, from at most one sample per quarter of a second. */
final class CapacityEstimate {
  private static final long MEMORY_NANOS = 60_000_000_000L;
  private static final long GRAIN_NANOS = 250_000_000;

  /** In descending order. */
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, double rate) {}

  void note(long nowNanos, double rate) {
    while (!samples.isEmpty() && samples.getLast().rate() <= rate) {
      samples.removeLast();
    }
    if (samples.isEmpty() || nowNanos - samples.getLast().nanos() >= GRAIN_NANOS) {
      samples.addLast(new Sample(nowNanos, rate));
    }
    while (nowNanos - samples.getFirst().nanos() > MEMORY_NANOS && samples.size() > 1) {
      samples.removeFirst();
    }
  }

  void forget() {
    samples.clear();
  }

  /** Packets per second; 0 before the first sample. */
  double highest() {
    return samples.isEmpty() ? 0 : samples.getFirst().rate();
  }
}
