package io.cascade.model.estimate;

import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.OptionalDouble;

/**
 * Rate that one connection would deliver, and the limit that applies.
 *
 * <p>Rates are payload in bits per second; infinite if nothing known limits them.
 *
 * @param input the hop's parameters
 * @param model of its sender
 * @param mssBytes payload of a full packet
 * @param modelBitsPerSecond rate by the model alone, at the likely loss
 * @param capacityBitsPerSecond the capacity less headers and framing
 * @param windowBitsPerSecond 8·rwnd/RTT
 * @param bitsPerSecond the least of these three, for the loss's bounds; of all parallel connections
 *     together
 * @param limit which of them is the least, at the likely loss
 * @param slowStartSeconds how long the window grows before the steady rate is reached or the data
 *     ends; empty for an unlimited stream
 * @param basis the model with its parameters, and whether the loss is beyond what it is valid for
 */
public record HopEstimate(
    PathInput input,
    SenderModel model,
    int mssBytes,
    double modelBitsPerSecond,
    double capacityBitsPerSecond,
    double windowBitsPerSecond,
    Interval bitsPerSecond,
    RateLimit limit,
    OptionalDouble slowStartSeconds,
    String basis) {}
