package io.cascade.client.verbs;

import io.cascade.client.transfer.receiver.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * Lines about refused senders. The first ones are reported at once, later ones at a limited rate
 * with the number of those left out, so that a sender that keeps trying cannot fill the log.
 * Thread-safe.
 */
final class Refusals {
  static final int MOST_AT_ONCE = 20;
  static final Duration EACH = Duration.ofSeconds(30);

  /** Monotonic time up to which lines are used up. */
  private long usedNanos;

  private long untold;

  Refusals(long nowNanos) {
    usedNanos = nowNanos - MOST_AT_ONCE * EACH.toNanos();
  }

  /** Returns the line of a refusal; empty where there were too many recently. */
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
