package io.cascade.packets.encapsulation;

/**
 * Counts that an end has of a pipe beside its properties.
 *
 * @param smoothedRoundTripNanos with queues; 0 before the first answer
 * @param probes that were sent
 * @param answers that came
 * @param refused datagrams without the right token, or malformed
 */
public record PipeReport(long smoothedRoundTripNanos, long probes, long answers, long refused) {}
