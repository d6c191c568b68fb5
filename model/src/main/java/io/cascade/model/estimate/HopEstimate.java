package io.cascade.model.estimate;

import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.OptionalDouble;

/**
 * Rate that one connection would deliver, and the cap that binds.
 *
 * <p>Rates are payload in bits per second; infinite where nothing known limits them.
 *
 * @param input what the hop was said to be
 * @param model of its sender
 * @param mssBytes payload of a full packet
 * @param modelBitsPerSecond what the model alone promises, at the likely loss
 * @param capacityBitsPerSecond the capacity less headers and framing
 * @param windowBitsPerSecond 8·rwnd/RTT
 * @param bitsPerSecond the least of these three, for the loss's bounds; of all connections together
 *     where several run side by side
 * @param limit which of them that is, at the likely loss
 * @param slowStartSeconds how long the window grows before the steady rate rules or the data ends;
 *     empty for a stream without end
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
