package io.cascade.relay.coded;

/**
 * What a session has seen, for those who look.
 *
 * @param lossRate of packets sent, 0 to 1
 * @param baseLossRate what the controller takes for the path's own, 0 to 1
 * @param mode of the controller
 * @param roundTripNanos smoothed
 * @param sourcesSent symbols sent once
 * @param repairsSent repairs and repeated symbols
 * @param bitsPerSecond the link's capacity as far as it was seen; 0 where nothing was
 * @param streams that are open
 */
public record CodedCount(
    double lossRate,
    double baseLossRate,
    String mode,
    long roundTripNanos,
    long sourcesSent,
    long repairsSent,
    double bitsPerSecond,
    int streams) {}
