package io.cascade.relay.chain;

/**
 * The lease of one part, on the monotonic clock.
 *
 * @param renewedAtNanos when the orchestrator last requested or renewed the part
 * @param endsAtNanos when the lease runs out
 */
record Lease(long renewedAtNanos, long endsAtNanos) {}
