package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CorrectedThroughput;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;

/**
 * Correction that streams and throughput tests gave for a link, for one congestion control.
 *
 * @param factor by which a hop's rate is multiplied
 * @param outcomes number of outcomes that it was learned from
 * @param evidence present weight of these together, see {@link
 *     io.cascade.model.calibration.Correction}
 */
public record LearnedCorrection(double factor, long outcomes, double evidence) {

  /** No correction. */
  public static final LearnedCorrection NOTHING = new LearnedCorrection(1, 0, 0);

  /** Checks the values. */
  public LearnedCorrection {
    Require.positive("factor", factor);
    Require.atLeast("outcomes", outcomes, 0);
    Require.notNegative("evidence", evidence);
  }

  /**
   * The hop with its rate multiplied. A known capacity is reduced by the factor but not raised: it
   * is an upper limit, and outcomes can only show that it is lower than stated. An observed rate is
   * not reduced, since it was observed.
   */
  Hop apply(Hop hop, Capacity capacity) {
    if (factor == 1) {
      return hop;
    }
    Hop corrected = hop.withModel(new CorrectedThroughput(hop.model(), factor, outcomes));
    return factor < 1 && capacity instanceof Capacity.Known(double known, _)
        ? corrected.withCapacity(new Rate(factor * known))
        : corrected;
  }
}
