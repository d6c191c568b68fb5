package io.cascade.orchestrator.chains;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes carried in the past, by spans of equal length. Bounded for any number and interval of
 * readings. Not thread-safe.
 */
final class CarriedBytes {
  private static final int FEW = 8;

  private final RateResolution resolution;

  /** Number of spans that are kept, including the current one. */
  private final int most;

  /** Bytes by span number modulo the array length; NaN for a span without a reading. */
  private double[] forwardBytes = new double[FEW];

  private double[] backwardBytes = new double[FEW];

  /**
   * First span number that has a slot; none has one while {@code oldest} exceeds {@code newest}.
   */
  private long oldest = 0;

  private long newest = -1;

  CarriedBytes(RateResolution resolution) {
    this.resolution = resolution;
    this.most = (int) resolution.kept().dividedBy(resolution.span()) + 1;
  }

  /** Bytes that a span carried. */
  record Carried(Instant start, double forwardBytes, double backwardBytes) {}

  /**
   * Adds bytes carried between two readings, spread evenly over the time between them.
   *
   * @param to after {@code from}
   */
  void add(Instant from, Instant to, long forwardBytes, long backwardBytes) {
    double nanos = Duration.between(from, to).toNanos();
    if (!(nanos > 0)) {
      return;
    }
    long last = resolution.number(to.minusNanos(1));
    for (long number = resolution.number(from); number <= last; number++) {
      Instant start = resolution.start(number);
      Instant end = resolution.start(number + 1);
      Instant begins = from.isAfter(start) ? from : start;
      Instant ends = to.isBefore(end) ? to : end;
      double share = Duration.between(begins, ends).toNanos() / nanos;
      add(number, share * forwardBytes, share * backwardBytes);
    }
  }

  /** Adds bytes that an earlier process counted. */
  void add(Carried carried) {
    add(resolution.restored(carried.start()), carried.forwardBytes(), carried.backwardBytes());
  }

  private void add(long number, double forward, double backward) {
    if (!place(number)) {
      return;
    }
    int at = at(number);
    boolean first = Double.isNaN(forwardBytes[at]);
    forwardBytes[at] = forward + (first ? 0 : forwardBytes[at]);
    backwardBytes[at] = backward + (first ? 0 : backwardBytes[at]);
  }

  /** Makes room for a span; returns false if it is too old. */
  private boolean place(long number) {
    if (newest < oldest) {
      oldest = number;
      newest = number - 1;
    }
    if (number <= newest - most) {
      return false;
    }
    long first = Math.max(Math.min(oldest, number), Math.max(newest, number) - most + 1);
    long last = Math.max(newest, number);
    reserve(last - first + 1);
    for (long fresh = Math.max(first, newest + 1); fresh <= last; fresh++) {
      forwardBytes[at(fresh)] = Double.NaN;
    }
    for (long fresh = first; fresh < oldest; fresh++) {
      forwardBytes[at(fresh)] = Double.NaN;
    }
    oldest = first;
    newest = last;
    return true;
  }

  private void reserve(long spans) {
    if (spans <= forwardBytes.length) {
      return;
    }
    int length = (int) Math.min(most, Math.max(spans, 2L * forwardBytes.length));
    double[] forward = new double[length];
    double[] backward = new double[length];
    for (long number = Math.max(oldest, newest - length + 1); number <= newest; number++) {
      int to = (int) Math.floorMod(number, (long) length);
      forward[to] = forwardBytes[at(number)];
      backward[to] = backwardBytes[at(number)];
    }
    forwardBytes = forward;
    backwardBytes = backward;
  }

  private int at(long number) {
    return (int) Math.floorMod(number, (long) forwardBytes.length);
  }

  /**
   * The spans with readings, oldest first.
   *
   * @param from a time within the first span
   * @param until a time within the span after the last
   */
  List<Carried> between(Instant from, Instant until) {
    List<Carried> spans = new ArrayList<>();
    long end = Math.min(newest, resolution.number(until) - 1);
    for (long number = Math.max(oldest, resolution.number(from)); number <= end; number++) {
      int at = at(number);
      if (!Double.isNaN(forwardBytes[at])) {
        spans.add(new Carried(resolution.start(number), forwardBytes[at], backwardBytes[at]));
      }
    }
    return spans;
  }
}
