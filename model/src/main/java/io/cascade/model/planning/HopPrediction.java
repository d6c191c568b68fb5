package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.Optional;

/**
 * Prediction of one hop of a candidate.
 *
 * @param control what the hop's sender sends with
 * @param usualControl what it sends with unless it is told otherwise
 * @param testControl what a throughput test of the link is to be sent with: what the hop would be
 *     sent with if the link carried more than was seen
 * @param rttSeconds as measured
 * @param lossProbability bounds and likely value
 * @param bitsPerSecond steady rate of payload; infinite if nothing known limits it
 * @param withoutBuffersBitsPerSecond the likely rate, did the socket buffers at its ends never
 *     limit
 * @param limit what holds the likely rate where it is
 * @param basis model and inputs in words, as "cubic, rfc 9438, loss 3 of 1000 (0.082 %–0.77 %), rtt
 *     64.0 ms measured, capacity unknown: not capped"
 * @param transport what carries it and why, where that was a choice
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

  /** Whether the sender is to be told what to send with. */
  public boolean isControlChanged() {
    return control != usualControl;
  }

  /** The hop's name: {@code a→b}. */
  public String name() {
    return from + "→" + to;
  }
}
