package io.cascade.segments;

/**
 * Measurements of a pipe.
 *
 * @param octetsPerSecond estimated; 0 if nothing was measured
 * @param roundTripMillis smoothed; 0 if nothing was measured
 * @param octetsQueued sent over the pipe and not acknowledged
 */
public record PipeReport(double octetsPerSecond, double roundTripMillis, long octetsQueued) {}
