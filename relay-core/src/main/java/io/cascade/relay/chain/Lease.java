package io.cascade.relay.chain;

/**
 * The lease of one part, on the monotonic clock.
 *
 * @param renewedAtNanos when the orchestrator asked for the part or renewed it last
 * @param endsAtNanos when the lease runs out
 */
record Lease(long renewedAtNanos, long endsAtNanos) {}
