package io.cascade.relay.proxy;

import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.orchestrator.RouteWay;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial of one chain to one destination: streams use the chain and the direct path in turn until
 * {@link #ENOUGH} streams on each path carried bulk, or the trial is over. The trial leaves the
 * path in use only for one that is {@link #CLEAR} times as fast. An outcome is valid for {@link
 * #VALID}, so that the path changes no more often than that, except when the chain fails.
 *
 * <p>Not thread-safe. Times are of one monotonic clock.
 */
final class PathTrial {
  /** Bulk streams that each path needs. */
  static final int ENOUGH = 3;

  static final int MOST_STREAMS = 40;
  static final Duration MOST_TIME = Duration.ofMinutes(5);

  /** Ratio to the path in use from which the other one is clearly faster. */
  static final double CLEAR = 1.25;

  /** Ratio that decides at the trial's end, if each path has carried only one bulk stream. */
  static final double CLEAR_AT_ONCE = 2;

  static final Duration VALID = Duration.ofHours(1);

  /** Time for which an outcome is valid after the chain failed a stream. */
  static final Duration VALID_AFTER_FAILURE = Duration.ofMinutes(10);

  private final UUID chain;
  private final PathKind inUse;
  private final long startedNanos;
  private final Map<PathKind, PathResult> results = new EnumMap<>(PathKind.class);
  private int sent;
  private @Nullable Outcome outcome;

  private record Outcome(PathKind path, String why, long untilNanos) {}

  /**
   * @param inUse the path that streams use at present
   */
  PathTrial(UUID chain, PathKind inUse, long nowNanos) {
    this.chain = chain;
    this.inUse = inUse;
    this.startedNanos = nowNanos;
    for (PathKind path : PathKind.values()) {
      results.put(path, new PathResult());
    }
  }

  UUID chain() {
    return chain;
  }

  /**
   * Returns the path of the next stream. The stream belongs to the trial if the trial still runs
   * afterwards.
   */
  PathKind next(long nowNanos) {
    judge(nowNanos);
    if (outcome != null || sent >= MOST_STREAMS) {
      return standing();
    }
    return sent++ % 2 == 0 ? inUse.other() : inUse;
  }

  /** Adds a stream of the trial that has ended, or was measured for long enough. */
  void measured(PathKind path, StreamPace.Achieved achieved, long nowNanos) {
    if (outcome == null) {
      result(path).add(achieved);
      judge(nowNanos);
    }
  }

  /** Records that the chain failed a stream. */
  void failed(long nowNanos) {
    if (outcome == null) {
      decide(PathKind.DIRECT, "the chain failed a stream", VALID_AFTER_FAILURE, nowNanos);
    }
  }

  boolean running() {
    return outcome == null;
  }

  /** Whether the trial is running, or its outcome is valid. */
  boolean counts(long nowNanos) {
    Outcome decided = outcome;
    return decided == null || nowNanos - decided.untilNanos() < 0;
  }

  /** Path of streams outside the trial, by its outcome if there is one. */
  PathKind standing() {
    return outcome == null ? inUse : outcome.path();
  }

  RouteTrial report(long nowNanos) {
    Outcome decided = outcome;
    return RouteTrial.builder()
        .chainId(chain)
        .verdict(decided == null ? null : RouteWay.valueOf(decided.path().name()))
        .validSeconds(
            decided == null
                ? null
                : (int) Duration.ofNanos(Math.max(0, decided.untilNanos() - nowNanos)).toSeconds())
        .direct(result(PathKind.DIRECT).document())
        .chain(result(PathKind.CHAIN).document())
        .summary(summary())
        .build();
  }

  /** Describes the trial and its outcome in one line, for people. */
  String summary() {
    Outcome decided = outcome;
    String results =
        String.format(
            Locale.ROOT,
            "%d through the chain%s, %d directly%s",
            result(PathKind.CHAIN).streams(),
            result(PathKind.CHAIN).text(),
            result(PathKind.DIRECT).streams(),
            result(PathKind.DIRECT).text());
    return decided == null
        ? "trying: " + results
        : "tried: " + results + ": " + decided.why() + ", continues " + decided.path().words();
  }

  private void judge(long nowNanos) {
    if (outcome != null) {
      return;
    }
    PathResult used = result(inUse);
    PathResult other = result(inUse.other());
    int bulk = Math.min(used.bulkStreams(), other.bulkStreams());
    boolean over =
        nowNanos - startedNanos >= MOST_TIME.toNanos()
            || used.streams() + other.streams() >= MOST_STREAMS;
    if (bulk >= ENOUGH) {
      compare(other.bitsPerSecond() / used.bitsPerSecond(), CLEAR, nowNanos);
    } else if (over && bulk > 0) {
      compare(other.bitsPerSecond() / used.bitsPerSecond(), CLEAR_AT_ONCE, nowNanos);
    } else if (over
        && used.bulkStreams() + other.bulkStreams() == 0
        && Math.min(used.answered(), other.answered()) >= ENOUGH) {
      compare(used.firstByteNanos() / other.firstByteNanos(), CLEAR, nowNanos);
    } else if (over) {
      decide(inUse, "too few streams to compare", VALID, nowNanos);
    }
  }

  /**
   * @param lead ratio of the other path's speed to that of the path in use
   */
  private void compare(double lead, double clear, long nowNanos) {
    boolean leave = lead >= clear;
    boolean sure = leave || lead <= 1 / clear;
    decide(leave ? inUse.other() : inUse, sure ? "a clear lead" : "no clear lead", VALID, nowNanos);
  }

  private void decide(PathKind path, String why, Duration valid, long nowNanos) {
    outcome = new Outcome(path, why, nowNanos + valid.toNanos());
  }

  private PathResult result(PathKind path) {
    return Objects.requireNonNull(results.get(path));
  }
}
