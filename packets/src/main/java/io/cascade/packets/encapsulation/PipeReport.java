package io.cascade.packets.encapsulation;

/**
 * What an end knows of a pipe beside its properties.
 *
 * @param smoothedRoundTripNanos with queues; 0 before the first answer
 * @param probes that were sent
 * @param answers that came
 * @param refused datagrams without the right token, or malformed
 */
public record PipeReport(long smoothedRoundTripNanos, long probes, long answers, long refused) {}
