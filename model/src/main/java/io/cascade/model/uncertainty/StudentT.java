package io.cascade.model.uncertainty;

import io.cascade.model.units.Require;

/** Student's t distribution. */
public final class StudentT {

  private StudentT() {}

  /**
   * The value that a variable with this distribution exceeds with a given probability.
   *
   * <p>With x the quantile of the Beta distribution of ν/2 and 1/2 at twice the probability, the
   * value is √(ν·(1 − x)/x) (Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964,
   * formula 26.7.1). Worked values: 0.025 gives 12.71 with one degree of freedom, 2.201 with
   * eleven.
   *
   * @param tail above 0, at most 1/2
   * @param degrees of freedom, at least 1
   */
  public static double exceededWith(double tail, int degrees) {
    if (!(tail > 0 && tail <= 0.5)) {
      throw Require.outside("tail", tail, "above 0 and at most 0.5");
    }
    Require.atLeast("degrees", degrees, 1);
    double x = BetaQuantile.of(2 * tail, degrees / 2.0, 0.5);
    return Math.sqrt(degrees * (1 - x) / x);
  }
}
