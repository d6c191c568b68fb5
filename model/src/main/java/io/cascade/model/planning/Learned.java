package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CorrectedThroughput;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;

/**
 * What chains have taught of a link, for the congestion control that it is planned with.
 *
 * @param factor that a hop's rate is multiplied by
 * @param outcomes how many streams it was learned from
 */
public record Learned(double factor, long outcomes) {

  /** Nothing. */
  public static final Learned NOTHING = new Learned(1, 0);

  /** Checks the values. */
  public Learned {
    Require.positive("factor", factor);
    Require.atLeast("outcomes", outcomes, 0);
  }

  /**
   * The hop with its rate multiplied. Its capacity shrinks with it but does not grow: what a link
   * carries is a bound, and experience may only say that it is lower than somebody said.
   */
  public Hop apply(Hop hop) {
    if (factor == 1) {
      return hop;
    }
    Hop corrected = hop.withModel(new CorrectedThroughput(hop.model(), factor, outcomes));
    return factor < 1 && hop.capacityBitsPerSecond().isPresent()
        ? corrected.withCapacity(new Rate(factor * hop.capacityBitsPerSecond().getAsDouble()))
        : corrected;
  }
}
