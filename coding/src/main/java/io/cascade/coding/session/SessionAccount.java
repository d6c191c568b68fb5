package io.cascade.coding.session;

/**
 * Counters and estimates of a session.
 *
 * @param repeatsSent source symbols sent once more, by selective repeat
 * @param uselessRepairs received ones that told nothing new
 * @param forgottenRepairs received ones that could not be used
 * @param malformed datagrams that were dropped
 * @param lossRate of packets sent, 0 to 1
 * @param burstPackets losses in a row
 * @param roundTripNanos smoothed
 * @param packetsSent of data, repairs among them
 * @param packetsArrived those of them that the peer has acknowledged
 * @param isWaiting whether data waits that the peer has room for
 */
public record SessionAccount(
    long sourcesSent,
    long repairsSent,
    long repeatsSent,
    long repairsReceived,
    long uselessRepairs,
    long forgottenRepairs,
    long malformed,
    long falselyLost,
    double lossRate,
    double burstPackets,
    long roundTripNanos,
    int inFlight,
    String mode,
    long packetsSent,
    long packetsArrived,
    boolean isWaiting) {}
