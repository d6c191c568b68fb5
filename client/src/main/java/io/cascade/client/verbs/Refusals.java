package io.cascade.client.verbs;

import io.cascade.client.transfer.receiver.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * Lines about senders that were refused. So many are told at once and one each time from then on,
 * and how many were not: whoever tries all the time fills no log. Used by any thread.
 */
final class Refusals {
  static final int MOST_AT_ONCE = 20;
  static final Duration EACH = Duration.ofSeconds(30);

  /** Moment up to which lines are used up. */
  private long usedNanos;

  private long untold;

  Refusals(long nowNanos) {
    usedNanos = nowNanos - MOST_AT_ONCE * EACH.toNanos();
  }

  /** Returns the line of a refusal; empty where there were too many of late. */
  synchronized Optional<String> line(Outcome.Refused refused, long nowNanos) {
    long used = Math.max(usedNanos, nowNanos - MOST_AT_ONCE * EACH.toNanos()) + EACH.toNanos();
    if (used > nowNanos) {
      untold++;
      return Optional.empty();
    }
    usedNanos = used;
    String line = ServiceLog.line(refused);
    String all = untold == 0 ? line : "%s (and %d others before)".formatted(line, untold);
    untold = 0;
    return Optional.of(all);
  }
}
