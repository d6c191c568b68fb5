package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.relay.hop.ReplayWindowState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters that another process of this relay has used and received under a part's keys.
 *
 * @param used counters towards next relays, by the hops' addresses as text
 * @param seen counters received from previous relays, by the hops' addresses as text
 */
record HopCounters(Map<String, Long> used, Map<String, ReplayWindowState> seen) {
  /** Counters of fresh keys. */
  static final HopCounters NONE = new HopCounters(Map.of(), Map.of());

  HopCounters {
    used = Map.copyOf(used);
    seen = Map.copyOf(seen);
  }

  /** The last counter that was used for a hop; 0 for a fresh key. */
  long used(HopAddress hop) {
    return used.getOrDefault(PartPassage.text(hop), 0L);
  }

  /** Counters that were received over a hop; null for a fresh key. */
  @Nullable ReplayWindowState seen(HopAddress hop) {
    return seen.get(PartPassage.text(hop));
  }
}
