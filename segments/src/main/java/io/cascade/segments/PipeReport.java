package io.cascade.segments;

/**
 * A pipe in numbers.
 *
 * @param octetsGiven for the peer, of those that it has told to have come
 * @param octetsPerSecond as estimated
 */
public record PipeReport(
    int pipe,
    PipeState state,
    long octetsGiven,
    long octetsReceived,
    double octetsPerSecond,
    double roundTripMillis) {}
