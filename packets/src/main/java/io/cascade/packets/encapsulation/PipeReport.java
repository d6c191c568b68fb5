package io.cascade.packets.encapsulation;

/**
 * Counts that an end has of a pipe besides its properties.
 *
 * @param smoothedRoundTripNanos with queues; 0 before the first answer
 * @param probes number of probes sent
 * @param answers number of answers received
 * @param refused datagrams without the right token, or malformed
 */
public record PipeReport(long smoothedRoundTripNanos, long probes, long answers, long refused) {}
