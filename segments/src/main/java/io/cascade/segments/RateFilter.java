package io.cascade.segments;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The greatest of the rates that were sampled within a window of time, in octets per nanosecond.
 */
final class RateFilter {
  private record Sample(long atNanos, double rate) {}

  /** Samples in descending order, the greatest and oldest first. */
  private final Deque<Sample> greatest = new ArrayDeque<>();

  void sample(double rate, long nowNanos, long windowNanos) {
    while (!greatest.isEmpty() && greatest.getLast().rate() <= rate) {
      greatest.removeLast();
    }
    greatest.addLast(new Sample(nowNanos, rate));
    Iterator<Sample> oldest = greatest.iterator();
    while (greatest.size() > 1 && nowNanos - oldest.next().atNanos() > windowNanos) {
      oldest.remove();
    }
  }

  /** 0 if there was no sample. */
  double rate() {
    return greatest.isEmpty() ? 0 : greatest.getFirst().rate();
  }
}
