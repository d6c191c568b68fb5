package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.relay.hop.ReplayWindowState;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * State of one chain's part that one process of a relay hands to the next: with its keys and with
 * the counters that were used under them, so that neighbours notice nothing and recorded headers
 * stay worthless.
 *
 * @param leaseLeft time until its lease runs out; negative where it has
 * @param sinceContact time since the orchestrator renewed it, or answered this relay
 * @param listens whether the listening socket of its ingress port goes with it
 * @param hopCounters counters towards next relays after which all are free, by their hops
 * @param seen counters seen from relays before, by their hops
 */
public record ChainSnapshot(
    UUID chain,
    ChainPart part,
    Duration leaseLeft,
    Duration sinceContact,
    boolean listens,
    Map<String, Long> hopCounters,
    Map<String, ReplayWindowState> seen) {

  public ChainSnapshot {
    hopCounters = Map.copyOf(hopCounters);
    seen = Map.copyOf(seen);
  }
}
