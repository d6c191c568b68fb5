package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.relay.hop.ReplayWindowState;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * State of one chain's part that one process of a relay hands to the next. It includes the keys and
 * the counters used under them, so that neighbours need not act and recorded headers stay invalid.
 *
 * @param leaseLeft time until its lease runs out; negative if it has expired
 * @param sinceContact time since the orchestrator renewed it, or answered this relay
 * @param listens whether the listening socket of its ingress port is handed over too
 * @param hopCounters by hop, the counter towards the next relay from which all are unused
 * @param seen counters received from previous relays, by hop
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
