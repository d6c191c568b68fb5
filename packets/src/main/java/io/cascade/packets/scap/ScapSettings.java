package io.cascade.packets.scap;

import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.signalling.SignallingMethod;

/**
 * Settings of an operator: the source's configuration unit.
 *
 * @param signalling how a pair learns that there is a peer; other modes send no signals
 * @param mostConnections records at a time; further connections use one pipe
 * @param mostSegmentBytes largest maximum segment size that a SYN may announce, so that segments
 *     fit every pipe
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
