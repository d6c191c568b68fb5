package io.cascade.relay.telemetry;

/**
 * Readings of the coded sessions of a hop that begins here.
 *
 * @param hop its address in the chain, as {@code 0.0.1}
 * @param isUdp whether it is coded now; TCP carries it otherwise
 * @param lossRatio of packets sent of late, 0 to 1; NaN before the first
 * @param baseLossRatio the path's own, 0 to 1; NaN before it is known
 * @param mode of the rate controller; empty without a session
 * @param roundTripSeconds smoothed; NaN without a session
 * @param capacityBits per second of the path, as far as it was seen; NaN where it was not
 */
public record CodedReading(
    String chain,
    String hop,
    boolean isUdp,
    double lossRatio,
    double baseLossRatio,
    String mode,
    double roundTripSeconds,
    double capacityBits,
    long sourceSymbols,
    long repairSymbols) {}
