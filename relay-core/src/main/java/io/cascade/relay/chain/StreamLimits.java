package io.cascade.relay.chain;

/**
 * Limits of a relay's streams.
 *
 * @param mostStreams streams beyond this number are reset at once
 * @param streamBytes most bytes held for a stream whose chain sets no bound
 */
public record StreamLimits(int mostStreams, long streamBytes) {}
