package io.cascade.orchestrator.chains;

import io.cascade.api.BoundedMap;
import java.time.Duration;
import java.util.Map;

/**
 * Validity of a plan's verdict for the direct path, by way. The first plan for a destination is
 * made while little is known of the links, so it is made again soon; each verdict that confirms the
 * one before is valid twice as long. Thread-safe.
 *
 * @param <W> ways, from a relay to a destination
 */
final class DirectVerdicts<W> {
  /** Validity of the first verdict. */
  static final Duration FIRST = Duration.ofSeconds(30);

  /** Most ways remembered; the least recently asked one is discarded first. */
  static final int MOST_WAYS = 4_096;

  private final Duration longest;
  private final Map<W, Duration> validity = BoundedMap.ofLatestUsed(MOST_WAYS);

  /**
   * @param longest upper limit of the validity
   */
  DirectVerdicts(Duration longest) {
    this.longest = longest;
  }

  /** Records a verdict for the direct path, and returns its validity. */
  synchronized Duration confirmed(W way) {
    return validity.merge(way, FIRST, (before, _) -> shorter(before.multipliedBy(2), longest));
  }

  /** Records another verdict: the next one for the direct path counts as the first. */
  synchronized void revoked(W way) {
    validity.remove(way);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
