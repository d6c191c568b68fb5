package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * The rate at which one long-lived TCP connection delivers payload, by its congestion control
 * alone.
 *
 * <p>Capacity and receive window are applied afterwards, by {@link SteadyRate}: most of these
 * formulas include neither. BBR and coded hops aim at the capacity itself, and the model of Padhye,
 * Firoiu, Towsley and Kurose includes the window.
 */
public sealed interface ThroughputModel
    permits CorrectedThroughput,
        TimeoutThroughput,
        MathisThroughput,
        PftkThroughput,
        CubicThroughput,
        BbrThroughput,
        CodedThroughput {

  /**
   * Payload in bits per second; infinite if the formula has no limit. Never lower with less loss or
   * more capacity, and, except for coded hops, with shorter round trips.
   */
  double bitsPerSecond(PathConditions path);

  /**
   * The same model under a receiver that grants no more than {@code packets}; itself if the formula
   * has no window.
   */
  default ThroughputModel underWindow(double packets) {
    return this;
  }

  /**
   * The share of its window that the sender keeps at a loss, in (0, 1); empty if it does not react
   * to single losses, as BBR, which is in its steady state when slow start is over.
   */
  OptionalDouble windowKeptAtLoss();

  /**
   * Name and parameters in a few words, to explain the origin of a number: {@code mathis, c=1.31}.
   */
  String basis();

  /** The loss probability up to which the model is considered valid. */
  double validUpToLoss();
}
