package io.cascade.studies.report;

import io.cascade.studies.study.Finding;
import java.util.Locale;

/**
 * A measured value with its bounds at 95 %. The bounds are NaN if it was measured once.
 *
 * @param low at most the value
 * @param high at least the value
 */
public record Estimate(double low, double value, double high) {

  /** The median, with the interval of the mean. */
  public static Estimate of(Sample sample) {
    return around(sample.median(), sample.mean(), sample.halfWidth());
  }

  private static Estimate around(double value, double mean, double half) {
    return Double.isNaN(half)
        ? new Estimate(Double.NaN, value, Double.NaN)
        : new Estimate(Math.min(value, mean - half), value, Math.max(value, mean + half));
  }

  /** The ratio of the medians, with the interval of the ratio of the means. */
  public static Estimate ratio(Sample over, Sample under) {
    Sample.Ratio ratio = over.over(under);
    double value = over.median() / under.median();
    return Double.isNaN(ratio.low())
        ? new Estimate(Double.NaN, value, Double.NaN)
        : new Estimate(Math.min(value, ratio.low()), value, Math.max(value, ratio.high()));
  }

  /** The median of the first sample less those of the others. */
  public static Estimate difference(Sample of, Sample... others) {
    double median = of.median();
    double mean = of.mean();
    double half = of.halfWidth();
    for (Sample other : others) {
      median -= other.median();
      mean -= other.mean();
      half = Math.hypot(half, other.halfWidth());
    }
    return around(median, mean, half);
  }

  /** The estimate of a value that cannot be negative, with its bounds raised to 0. */
  public Estimate notBelowZero() {
    return new Estimate(low < 0 ? 0 : low, value, high);
  }

  /** The value with its interval, such as {@code 1.02 (0.98 to 1.07)}. */
  public String words() {
    return words("%.2f", 1);
  }

  /**
   * The value with its interval in another format.
   *
   * @param format of each number
   * @param factor by which numbers are multiplied
   */
  public String words(String format, double factor) {
    return Double.isNaN(low)
        ? String.format(Locale.ROOT, format, factor * value)
        : String.format(
            Locale.ROOT,
            format + " (" + format + " to " + format + ")",
            factor * value,
            factor * low,
            factor * high);
  }

  /** Judges the value by a lower limit. */
  public Finding atLeast(double goal) {
    return value >= goal ? Finding.MET : high >= goal ? Finding.OPEN : Finding.MISSED;
  }

  /** Judges the value by an upper limit. */
  public Finding atMost(double goal) {
    return value <= goal ? Finding.MET : low <= goal ? Finding.OPEN : Finding.MISSED;
  }
}
