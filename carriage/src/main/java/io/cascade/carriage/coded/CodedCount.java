package io.cascade.carriage.coded;

import org.jspecify.annotations.Nullable;

/**
 * Counts and estimates of a session, for readers on any thread.
 *
 * @param lossRate of packets sent, 0 to 1
 * @param baseLossRate what the controller takes for the path's own, 0 to 1
 * @param mode of the controller
 * @param roundTripNanos smoothed
 * @param sourcesSent symbols sent once
 * @param repairsSent repairs and repeated symbols
 * @param bitsPerSecond the link's capacity as far as it was seen; 0 where nothing was
 * @param streams that are open
 * @param isTcp whether a TCP connection carries it now
 * @param why of a carrier that is not the usual one; null for whole datagrams over UDP
 */
public record CodedCount(
    double lossRate,
    double baseLossRate,
    String mode,
    long roundTripNanos,
    long sourcesSent,
    long repairsSent,
    double bitsPerSecond,
    int streams,
    boolean isTcp,
    @Nullable String why) {}
