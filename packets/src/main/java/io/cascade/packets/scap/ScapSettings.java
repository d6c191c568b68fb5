package io.cascade.packets.scap;

import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.signalling.SignallingMethod;

/**
 * Settings that an operator decides: the source's configuration unit.
 *
 * @param signalling how a pair learns that there is a peer; other modes ask nobody
 * @param mostConnections records at a time; further connections go by one pipe
 * @param mostSegmentBytes what a SYN may announce as its maximum segment size, so that segments fit
 *     every pipe
 * @param mostHeldBytes of packets that wait for others, of all connections together
 */
public record ScapSettings(
    Mode mode,
    AdmissionPolicy admission,
    PipeSelection selection,
    SignallingMethod signalling,
    int mostConnections,
    int mostSegmentBytes,
    long mostHeldBytes) {}
