package io.cascade.relay.junction;

import io.cascade.relay.pump.MemoryBudget;
import io.netty.channel.EventLoop;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Resources that the junctions of a relay share.
 *
 * @param ledgers of the memory budget, by event loop
 * @param nanoTime the monotonic clock
 */
public record JunctionResources(
    Function<EventLoop, MemoryBudget.Ledger> ledgers,
    LongSupplier nanoTime,
    SegmentCounters counters) {}
