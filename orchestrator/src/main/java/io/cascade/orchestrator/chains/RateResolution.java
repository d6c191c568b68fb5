package io.cascade.orchestrator.chains;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lengths of the spans in which the past is kept, the finest first. */
enum RateResolution {
  /** Spans of ten seconds of the past hour. */
  HOUR(Duration.ofSeconds(10), Duration.ofHours(1), "chain_rate"),

  /** Spans of two minutes of the past day. */
  DAY(Duration.ofMinutes(2), Duration.ofDays(1), "chain_rate_day");

  static final List<RateResolution> ALL = List.of(values());

  private final Duration span;
  private final Duration kept;
  private final String table;

  RateResolution(Duration span, Duration kept, String table) {
    this.span = span;
    this.kept = kept;
    this.table = table;
  }

  /** The finest of those that reach so far back, or the one that reaches farthest. */
  static RateResolution over(Duration past) {
    return ALL.stream().filter(one -> one.kept.compareTo(past) >= 0).findFirst().orElse(DAY);
  }

  Duration span() {
    return span;
  }

  /** How far back spans are kept. */
  Duration kept() {
    return kept;
  }

  /** Where they are stored. */
  String table() {
    return table;
  }

  /** Number since the epoch of the span that a moment is in. */
  long number(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), span.toSeconds());
  }

  /** When a span begins. */
  Instant start(long number) {
    return Instant.ofEpochSecond(number * span.toSeconds());
  }

  /**
   * When the first of those spans began that an earlier process has counted and that are added to
   * the span of this moment or to later ones: they may begin a little beside those of this process.
   */
  Instant restoredFrom(Instant moment) {
    return start(number(moment)).minus(span.dividedBy(2));
  }

  /** Number of the span of this process to which one of an earlier process is added. */
  long restored(Instant start) {
    return number(start.plus(span.dividedBy(2)));
  }
}
