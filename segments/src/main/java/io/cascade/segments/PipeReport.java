package io.cascade.segments;

/**
 * A pipe in numbers.
 *
 * @param octetsGiven for the peer, of those that it has told to have come
 * @param octetsPerSecond as estimated; 0 where nothing was measured
 * @param roundTripMillis smoothed; 0 where nothing was measured
 * @param octetsQueued given to the pipe and not told to have come
 */
public record PipeReport(
    int pipe,
    PipeState state,
    long octetsGiven,
    long octetsReceived,
    double octetsPerSecond,
    double roundTripMillis,
    long octetsQueued) {}
