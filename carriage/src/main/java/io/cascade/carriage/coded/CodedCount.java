package io.cascade.carriage.coded;

import org.jspecify.annotations.Nullable;

/**
 * Counts and estimates of a session, readable from any thread.
 *
 * @param lossRate of sent packets, 0 to 1
 * @param baseLossRate the path's own loss rate as assumed by the controller, 0 to 1
 * @param mode of the controller
 * @param roundTripNanos smoothed
 * @param sourcesSent symbols sent for the first time
 * @param repairsSent repairs and repeated symbols
 * @param bitsPerSecond the link's capacity as observed; 0 if unknown
 * @param streams number of open streams
 * @param isTcp whether a TCP connection carries the session
 * @param why reason for a carrier other than the usual one; null for whole datagrams over UDP
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
