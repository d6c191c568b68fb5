package io.cascade.relay.chain;

/**
 * Limits of a relay's streams.
 *
 * @param mostStreams streams beyond are reset at once
 * @param streamBytes most bytes held for a stream of a chain that does not say itself
 */
public record StreamLimits(int mostStreams, long streamBytes) {}
