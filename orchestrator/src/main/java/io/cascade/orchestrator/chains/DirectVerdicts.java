package io.cascade.orchestrator.chains;

import io.cascade.api.BoundedMap;
import java.time.Duration;
import java.util.Map;

/**
 * How long a plan's verdict for the direct path is valid, by way. The first plan for a destination
 * is made while least is known of the links, so that it is looked at again soon; each verdict that
 * confirms the one before is valid twice as long. Thread-safe.
 *
 * @param <W> ways, from a relay to a destination
 */
final class DirectVerdicts<W> {
  /** Validity of the first verdict. */
  static final Duration FIRST = Duration.ofSeconds(30);

  /** Most ways remembered; the one that was asked for least recently is forgotten first. */
  static final int MOST_WAYS = 4_096;

  private final Duration longest;
  private final Map<W, Duration> validity = BoundedMap.ofLatestUsed(MOST_WAYS);

  /**
   * @param longest validity, however often a verdict is confirmed
   */
  DirectVerdicts(Duration longest) {
    this.longest = longest;
  }

  /** Notes a verdict for the direct path, and returns its validity. */
  synchronized Duration confirmed(W way) {
    return validity.merge(way, FIRST, (before, _) -> shorter(before.multipliedBy(2), longest));
  }

  /** Notes another verdict: the next one for the direct path is a first one. */
  synchronized void revoked(W way) {
    validity.remove(way);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
