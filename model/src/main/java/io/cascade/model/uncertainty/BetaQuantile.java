package io.cascade.model.uncertainty;

import org.hipparchus.special.Beta;

/** The quantile of a Beta distribution, by bisection of its distribution function. */
final class BetaQuantile {

  private static final double RELATIVE_PRECISION = 1e-10;
  private static final double STANDARD_DEVIATIONS = 8;

  private BetaQuantile() {}

  /**
   * The x with I_x(alpha, beta) = probability.
   *
   * <p>Starts from the mean ± 8 standard deviations and widens to 0 or 1 if the quantile lies
   * outside, since far from the mean the regularised function is slow and flat.
   */
  static double of(double probability, double alpha, double beta) {
    double total = alpha + beta;
    double mean = alpha / total;
    double reach = STANDARD_DEVIATIONS * Math.sqrt(mean * (beta / total) / (total + 1));
    double low = Math.max(0, mean - reach);
    double high = Math.min(1, mean + reach);
    if (Beta.regularizedBeta(low, alpha, beta) > probability) {
      low = 0;
    }
    if (Beta.regularizedBeta(high, alpha, beta) < probability) {
      high = 1;
    }
    while (high - low > RELATIVE_PRECISION * high) {
      double middle = (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (Beta.regularizedBeta(middle, alpha, beta) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
