package io.cascade.coding.session;

/**
 * Counters and estimates of a session.
 *
 * @param repeatsSent source symbols repeated by selective repeat
 * @param uselessRepairs received repairs without new information
 * @param forgottenRepairs received repairs that could not be used
 * @param malformed datagrams that were dropped
 * @param lossRate of sent packets, 0 to 1
 * @param burstPackets mean length of a loss burst
 * @param roundTripNanos smoothed
 * @param packetsSent packets with data or repairs
 * @param packetsArrived those of them that the peer has acknowledged
 * @param isWaiting whether data waits for which the peer has room
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
