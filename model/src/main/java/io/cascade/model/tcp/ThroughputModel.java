package io.cascade.model.tcp;

/**
 * The rate at which one long-lived TCP connection delivers payload, as its congestion control alone
 * would have it.
 *
 * <p>Capacity and receive window are applied afterwards, by {@link SteadyRate}: none of these
 * formulas knows them, except where a congestion control aims at the capacity itself. A further
 * model (Padhye, Firoiu, Towsley and Kurose's, with timeouts) is a further variant of this type.
 */
public sealed interface ThroughputModel permits MathisThroughput, CubicThroughput, BbrThroughput {

  /**
   * Payload in bits per second; infinite where the formula sets no limit, never less with less
   * loss, shorter round trips or more capacity.
   */
  double bitsPerSecond(PathConditions path);

  /**
   * Name and parameters in a few words, for a reader who asks where a number comes from: {@code
   * mathis, c=1.31}.
   */
  String basis();

  /** The loss probability up to which the model is held to be valid. */
  double validUpToLoss();
}
