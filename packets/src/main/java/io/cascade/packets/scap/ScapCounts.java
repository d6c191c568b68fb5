package io.cascade.packets.scap;

import io.cascade.packets.processing.ProcessorCounts;

/**
 * Counts of a splitter/combiner since it started.
 *
 * @param outbound packets from the near side
 * @param inbound packets from the pipes
 * @param split packets that a processor sent over a pipe of its choice
 * @param duplicated copies beyond the first
 * @param delayed packets that a processor held
 * @param dropped packets that a processor dropped
 * @param notTcp packets without a readable TCP header
 * @param withoutRecord TCP packets of unknown connections
 * @param unsentAcknowledged packets that acknowledge data that was not sent: they pass, but change
 *     no record
 * @param connections present records
 * @param refusedConnections that found the table full
 * @param heldBytes that wait at present
 * @param releasedPackets packets that waited and were passed on
 * @param releasedNanos total time that those waited
 */
public record ScapCounts(
    long outbound,
    long inbound,
    long split,
    long duplicated,
    long delayed,
    long dropped,
    long notTcp,
    long withoutRecord,
    long unsentAcknowledged,
    int connections,
    long refusedConnections,
    long heldBytes,
    long releasedPackets,
    long releasedNanos,
    ProcessorCounts processors) {}
