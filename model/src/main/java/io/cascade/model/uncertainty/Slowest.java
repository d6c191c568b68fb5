package io.cascade.model.uncertainty;

/**
 * The least of several independent rates, each known up to an error factor.
 *
 * <p>The way whose slowest hop looks fastest is likely one whose hops were overestimated, and each
 * further hop may be slower than it looks. On average the least of several rates is below the least
 * of their likely values. The logarithm of each rate is assumed to be normal. The least of two
 * normal variables with means a ≤ b, variances s² and t², d = √(s² + t²), x = (b − a)/d, has after
 * Clark ("The greatest of a finite set of random variables", Operations Research 9(2), 1961)
 *
 * <pre>
 * mean          a·Φ(x) + b·Φ(−x) − d·φ(x)
 * mean square   (a² + s²)·Φ(x) + (b² + t²)·Φ(−x) − (a + b)·d·φ(x)
 * </pre>
 *
 * <p>and is assumed to be normal again for the next one.
 *
 * <p>Worked value: two equal rates known to a standard deviation of 0.28: the least of them is
 * exp(−0.28/√π) = 0.854 of either on average.
 */
public final class Slowest {
  private double mean = Double.POSITIVE_INFINITY;
  private double variance;
  private double least = Double.POSITIVE_INFINITY;

  /**
   * Adds a rate.
   *
   * @param rate its likely value, &gt; 0; an infinite one is never the least
   * @param deviation standard deviation of its logarithm, &gt;= 0
   */
  public void add(double rate, double deviation) {
    if (Double.isInfinite(rate)) {
      return;
    }
    double logarithm = Math.log(rate);
    least = Math.min(least, logarithm);
    if (Double.isInfinite(mean)) {
      mean = logarithm;
      variance = deviation * deviation;
      return;
    }
    double other = deviation * deviation;
    double distance = Math.sqrt(variance + other);
    if (distance == 0) {
      mean = Math.min(mean, logarithm);
      return;
    }
    double x = (logarithm - mean) / distance;
    double below = Normal.below(x);
    double density = distance * Normal.density(x);
    // Relative to the mean, so that the squares are of small numbers.
    double gap = logarithm - mean;
    double first = gap * (1 - below) - density;
    double square = variance * below + (gap * gap + other) * (1 - below) - gap * density;
    mean += first;
    variance = Math.max(0, square - first * first);
  }

  /** Factor, 1 or more, by which the least likely value exceeds the mean of the least. */
  public double overestimate() {
    return Double.isInfinite(mean) ? 1 : Math.exp(Math.max(0, least - mean));
  }
}
