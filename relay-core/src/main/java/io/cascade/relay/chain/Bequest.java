package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.relay.hop.SeenCounters;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A chain's part as one process of a relay leaves it to the next: with its keys and with the
 * counters that were used under them, so that neighbours notice nothing and nothing recorded
 * becomes good again.
 *
 * @param leaseLeft until its lease runs out; negative where it has
 * @param sinceContact since the orchestrator renewed it or was heard of otherwise
 * @param listens whether its ingress port's socket goes with it
 * @param hopCounter behind which counters towards the next relay are free, 0 where there is none
 * @param seen counters seen from the relay before; null where there is none
 */
public record Bequest(
    UUID chain,
    ChainPart part,
    Duration leaseLeft,
    Duration sinceContact,
    boolean listens,
    long hopCounter,
    @Nullable SeenCounters seen) {}
