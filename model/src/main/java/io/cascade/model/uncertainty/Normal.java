package io.cascade.model.uncertainty;

import io.cascade.model.units.Require;

/** The standard normal distribution. */
public final class Normal {

  private Normal() {}

  /**
   * The value that a standard normal variable does not exceed with this probability.
   *
   * <p>Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, formula 26.2.23: a ratio
   * of polynomials in √(−2·ln p), off by less than 0.00045. Worked values: 0.95 gives 1.645, 0.975
   * gives 1.960.
   *
   * @param probability between 0 and 1, both excluded
   */
  public static double quantile(double probability) {
    if (!(probability > 0 && probability < 1)) {
      throw Require.outside("probability", probability, "between 0 and 1, both excluded");
    }
    double tail = Math.min(probability, 1 - probability);
    double t = Math.sqrt(-2 * Math.log(tail));
    double value =
        t
            - (2.515517 + t * (0.802853 + t * 0.010328))
                / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return probability < 0.5 ? -value : value;
  }

  /** The density at a value. */
  public static double density(double value) {
    return Math.exp(-value * value / 2) / Math.sqrt(2 * Math.PI);
  }

  /**
   * The probability with which a standard normal variable stays below a value.
   *
   * <p>Abramowitz and Stegun, formula 26.2.17, off by less than 7.5·10⁻⁸. Worked values: 0 gives
   * 0.5, 1.96 gives 0.975.
   */
  public static double below(double value) {
    double t = 1 / (1 + 0.2316419 * Math.abs(value));
    double tail =
        density(value)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return value < 0 ? tail : 1 - tail;
  }
}
