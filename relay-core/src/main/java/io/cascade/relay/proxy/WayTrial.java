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
 * A trial of one chain to one destination: streams take the chain and the direct way in turn until
 * {@link #ENOUGH} of either carried bulk, or the trial is over. The way that is in use is left only
 * for one that is {@link #CLEAR} times as quick. A verdict is valid for {@link #VALID}, so the way
 * changes no more often than that, except where the chain fails.
 *
 * <p>Whoever uses it guards it; nanoseconds are of one monotonic clock.
 */
final class WayTrial {
  /** Bulk streams each way. */
  static final int ENOUGH = 3;

  static final int MOST_STREAMS = 40;
  static final Duration MOST_TIME = Duration.ofMinutes(5);

  /** Times as quick as the way in use. */
  static final double CLEAR = 1.25;

  /** The same at the trial's end, where one bulk stream each way has to do. */
  static final double CLEAR_AT_ONCE = 2;

  static final Duration VALID = Duration.ofHours(1);

  /** After the chain failed a stream. */
  static final Duration VALID_AFTER_FAILURE = Duration.ofMinutes(10);

  private final UUID chain;
  private final Way inUse;
  private final long startedNanos;
  private final Map<Way, WayResult> results = new EnumMap<>(Way.class);
  private int sent;
  private @Nullable Verdict verdict;

  private record Verdict(Way way, String why, long untilNanos) {}

  /**
   * @param inUse the way that streams take now
   */
  WayTrial(UUID chain, Way inUse, long nowNanos) {
    this.chain = chain;
    this.inUse = inUse;
    this.startedNanos = nowNanos;
    for (Way way : Way.values()) {
      results.put(way, new WayResult());
    }
  }

  UUID chain() {
    return chain;
  }

  /** The next stream's way; it is one of the trial's if the trial is still running afterwards. */
  Way next(long nowNanos) {
    judge(nowNanos);
    if (verdict != null || sent >= MOST_STREAMS) {
      return standing();
    }
    return sent++ % 2 == 0 ? inUse.other() : inUse;
  }

  /** A stream of the trial has ended, or was measured for long enough. */
  void measured(Way way, StreamPace.Achieved achieved, long nowNanos) {
    if (verdict == null) {
      result(way).add(achieved);
      judge(nowNanos);
    }
  }

  /** The chain failed a stream. */
  void failed(long nowNanos) {
    if (verdict == null) {
      decide(Way.DIRECT, "the chain failed a stream", VALID_AFTER_FAILURE, nowNanos);
    }
  }

  boolean running() {
    return verdict == null;
  }

  /** Whether it is running, or its verdict is valid. */
  boolean counts(long nowNanos) {
    Verdict decided = verdict;
    return decided == null || nowNanos - decided.untilNanos() < 0;
  }

  /** How streams go that are none of the trial's: by its verdict, once there is one. */
  Way standing() {
    return verdict == null ? inUse : verdict.way();
  }

  RouteTrial report(long nowNanos) {
    Verdict decided = verdict;
    return new RouteTrial(
        chain,
        decided == null ? null : RouteWay.valueOf(decided.way().name()),
        decided == null
            ? null
            : (int) Duration.ofNanos(Math.max(0, decided.untilNanos() - nowNanos)).toSeconds(),
        result(Way.DIRECT).document(),
        result(Way.CHAIN).document(),
        summary());
  }

  /** For example "tried 3 + 3 streams: chain 12.1 Mbit/s, direct 1.6 Mbit/s". */
  String summary() {
    Verdict decided = verdict;
    String results =
        String.format(
            Locale.ROOT,
            "%d through the chain%s, %d directly%s",
            result(Way.CHAIN).streams(),
            result(Way.CHAIN).text(),
            result(Way.DIRECT).streams(),
            result(Way.DIRECT).text());
    return decided == null
        ? "trying: " + results
        : "tried: " + results + ": " + decided.why() + ", goes on " + decided.way().words();
  }

  private void judge(long nowNanos) {
    if (verdict != null) {
      return;
    }
    WayResult used = result(inUse);
    WayResult other = result(inUse.other());
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
   * @param lead how many times as quick the other way is
   */
  private void compare(double lead, double clear, long nowNanos) {
    boolean leave = lead >= clear;
    boolean sure = leave || lead <= 1 / clear;
    decide(leave ? inUse.other() : inUse, sure ? "a clear lead" : "no clear lead", VALID, nowNanos);
  }

  private void decide(Way way, String why, Duration valid, long nowNanos) {
    verdict = new Verdict(way, why, nowNanos + valid.toNanos());
  }

  private WayResult result(Way way) {
    return Objects.requireNonNull(results.get(way));
  }
}
