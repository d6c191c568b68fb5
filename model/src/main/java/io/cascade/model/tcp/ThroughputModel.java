package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * The rate at which one long-lived TCP connection delivers payload, as its congestion control alone
 * would have it.
 *
 * <p>Capacity and receive window are applied afterwards, by {@link SteadyRate}: most of these
 * formulas know neither. BBR and coded hops aim at the capacity itself, and Padhye, Firoiu, Towsley
 * and Kurose's model has the window in it.
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
   * Payload in bits per second; infinite where the formula sets no limit, never less with less loss
   * or more capacity, and, but for coded hops, with shorter round trips.
   */
  double bitsPerSecond(PathConditions path);

  /**
   * The same model under a receiver that grants no more than {@code packets}; itself where the
   * formula knows no window.
   */
  default ThroughputModel underWindow(double packets) {
    return this;
  }

  /**
   * The share of its window that the sender keeps at a loss, in (0, 1); empty where single losses
   * do not move it, as for BBR, which is in its steady state as soon as slow start is over.
   */
  OptionalDouble windowKeptAtLoss();

  /**
   * Name and parameters in a few words, for a reader who asks where a number comes from: {@code
   * mathis, c=1.31}.
   */
  String basis();

  /** The loss probability up to which the model is held to be valid. */
  double validUpToLoss();
}
