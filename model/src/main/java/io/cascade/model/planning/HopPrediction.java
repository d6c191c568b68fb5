package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.Optional;

/**
 * Prediction of one hop of a candidate.
 *
 * @param control congestion control of the hop's sender
 * @param usualControl congestion control that it uses by default
 * @param testControl congestion control for a throughput test of the link: the one that the hop
 *     would use if the link carried more than was observed
 * @param rttSeconds as measured
 * @param lossProbability bounds and likely value
 * @param bitsPerSecond steady rate of payload; infinite if nothing known limits it
 * @param withoutBuffersBitsPerSecond the likely rate if the socket buffers at its ends did not
 *     limit it
 * @param limit what limits the likely rate
 * @param basis model and inputs in words, as "cubic, rfc 9438, loss 3 of 1000 (0.082 %–0.77 %), rtt
 *     64.0 ms measured, capacity unknown: not capped"
 * @param transport transport and the reason for it; empty if there was no choice
 */
public record HopPrediction(
    String from,
    String to,
    CongestionControl control,
    CongestionControl usualControl,
    CongestionControl testControl,
    double rttSeconds,
    Interval lossProbability,
    Interval bitsPerSecond,
    double withoutBuffersBitsPerSecond,
    RateLimit limit,
    String basis,
    Optional<HopTransport> transport) {

  /** Whether the sender has to be told which control to use. */
  public boolean isControlChanged() {
    return control != usualControl;
  }

  /** The hop's name: {@code a→b}. */
  public String name() {
    return from + "→" + to;
  }
}
