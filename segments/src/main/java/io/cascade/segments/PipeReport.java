package io.cascade.segments;

/**
 * A pipe in numbers.
 *
 * @param octetsPerSecond as estimated; 0 where nothing was measured
 * @param roundTripMillis smoothed; 0 where nothing was measured
 * @param octetsQueued given to the pipe and not told to have come
 */
public record PipeReport(double octetsPerSecond, double roundTripMillis, long octetsQueued) {}
