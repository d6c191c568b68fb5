package io.cascade.packets.scap;

import io.cascade.packets.processing.ProcessorCounts;

/**
 * Counts of a splitter/combiner since it started.
 *
 * @param outbound packets that came from the near side
 * @param inbound packets that came from the pipes
 * @param split packets that a processor sent by a pipe of its choice
 * @param duplicated copies beyond the first
 * @param delayed packets that a processor held
 * @param dropped packets that a processor ended
 * @param notTcp packets that have no readable TCP header
 * @param withoutRecord TCP packets of connections that are not known
 * @param unsentAcknowledged packets that acknowledge what was not sent: they pass, and nothing is
 *     learned from them
 * @param connections records now
 * @param refusedConnections that found the table full
 * @param heldBytes that wait now
 * @param releasedPackets packets that waited and have been handed out
 * @param releasedNanos how long those waited, all together
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
