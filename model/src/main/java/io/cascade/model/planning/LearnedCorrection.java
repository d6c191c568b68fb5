package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CorrectedThroughput;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;

/**
 * Correction that streams and throughput tests have taught of a link, for one congestion control.
 *
 * @param factor that a hop's rate is multiplied by
 * @param outcomes how many it was learned from
 * @param evidence what they weigh together now, see {@link io.cascade.model.calibration.Correction}
 */
public record LearnedCorrection(double factor, long outcomes, double evidence) {

  /** Nothing. */
  public static final LearnedCorrection NOTHING = new LearnedCorrection(1, 0, 0);

  /** Checks the values. */
  public LearnedCorrection {
    Require.positive("factor", factor);
    Require.atLeast("outcomes", outcomes, 0);
    Require.notNegative("evidence", evidence);
  }

  /**
   * The hop with its rate multiplied. A capacity that is known shrinks with it but does not grow:
   * what a link carries is a bound, and experience may only say that it is lower than somebody
   * said. A rate that was seen does not shrink: it was seen.
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
