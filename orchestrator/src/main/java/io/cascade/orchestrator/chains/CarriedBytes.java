package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.RateSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Bytes carried in spans of ten seconds of the past hour: bounded however often and however
 * irregularly somebody looks. Not thread-safe.
 */
final class CarriedBytes {
  static final Duration SPAN = Duration.ofSeconds(10);
  static final Duration KEPT = Duration.ofHours(1);

  /** Spans by their number since the epoch. */
  private final NavigableMap<Long, Span> spans = new TreeMap<>();

  private static final class Span {
    private double forwardBytes;
    private double backwardBytes;
  }

  /** What a span has carried. */
  record Carried(Instant start, double forwardBytes, double backwardBytes) {}

  /**
   * Carried between two looks, and taken to be spread evenly over the time between them.
   *
   * @param to after {@code from}
   */
  void add(Instant from, Instant to, long forwardBytes, long backwardBytes) {
    double nanos = Duration.between(from, to).toNanos();
    if (!(nanos > 0)) {
      return;
    }
    for (long number = number(from); number <= number(to.minusNanos(1)); number++) {
      Instant begins = from.isAfter(start(number)) ? from : start(number);
      Instant ends = to.isBefore(start(number + 1)) ? to : start(number + 1);
      double share = Duration.between(begins, ends).toNanos() / nanos;
      add(number, share * forwardBytes, share * backwardBytes);
    }
    spans.headMap(number(to.minus(KEPT)), false).clear();
  }

  /** Adds what an earlier process has counted; its spans may begin a little beside these. */
  void add(Carried carried) {
    add(
        number(carried.start().plus(SPAN.dividedBy(2))),
        carried.forwardBytes(),
        carried.backwardBytes());
  }

  /**
   * When the first of those spans began that an earlier process has counted and that were added to
   * the span of this moment or to later ones.
   */
  static Instant restoredFrom(Instant moment) {
    return start(number(moment)).minus(SPAN.dividedBy(2));
  }

  private void add(long number, double forwardBytes, double backwardBytes) {
    Span span = spans.computeIfAbsent(number, _ -> new Span());
    span.forwardBytes += forwardBytes;
    span.backwardBytes += backwardBytes;
  }

  /**
   * Those that were looked at, the oldest first.
   *
   * @param until where what is known ends: spans that reach beyond it are left out
   */
  List<RateSpan> before(Instant until) {
    return between(until.minus(KEPT), until).stream().map(CarriedBytes::rates).toList();
  }

  /**
   * Those that were looked at, the oldest first.
   *
   * @param from the first is the one that this is in
   * @param until the last is the one before that which this is in
   */
  List<Carried> between(Instant from, Instant until) {
    return spans.subMap(number(from), true, number(until), false).entrySet().stream()
        .map(span ->
            new Carried(
                start(span.getKey()), span.getValue().forwardBytes, span.getValue().backwardBytes))
        .toList();
  }

  private static RateSpan rates(Carried span) {
    return new RateSpan(
        span.start(),
        Byte.SIZE * span.forwardBytes() / SPAN.toSeconds(),
        Byte.SIZE * span.backwardBytes() / SPAN.toSeconds());
  }

  private static long number(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), SPAN.toSeconds());
  }

  private static Instant start(long number) {
    return Instant.ofEpochSecond(number * SPAN.toSeconds());
  }
}
