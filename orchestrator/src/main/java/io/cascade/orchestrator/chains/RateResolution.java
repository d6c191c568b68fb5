package io.cascade.orchestrator.chains;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lengths of the spans for which past rates are kept, the finest first. */
enum RateResolution {
  /** Spans of ten seconds, for the past hour. */
  HOUR(Duration.ofSeconds(10), Duration.ofHours(1), "chain_rate"),

  /** Spans of two minutes, for the past day. */
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

  /**
   * The finest resolution that is kept for at least this time, or else the one that is kept
   * longest.
   */
  static RateResolution over(Duration past) {
    return ALL.stream().filter(one -> one.kept.compareTo(past) >= 0).findFirst().orElse(DAY);
  }

  Duration span() {
    return span;
  }

  /** How long spans are kept. */
  Duration kept() {
    return kept;
  }

  /** The table that stores them. */
  String table() {
    return table;
  }

  /** Number of the span that contains a moment, counted from the epoch. */
  long number(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), span.toSeconds());
  }

  /** Start of a span. */
  Instant start(long number) {
    return Instant.ofEpochSecond(number * span.toSeconds());
  }

  /**
   * Earliest start of the stored spans that {@link #restored} adds to the span of this moment or to
   * later ones. Spans of an earlier process may be offset from those of this process, by up to half
   * a span.
   */
  Instant restoredFrom(Instant moment) {
    return start(number(moment)).minus(span.dividedBy(2));
  }

  /** Number of the span of this process to which a span of an earlier process is added. */
  long restored(Instant start) {
    return number(start.plus(span.dividedBy(2)));
  }
}
