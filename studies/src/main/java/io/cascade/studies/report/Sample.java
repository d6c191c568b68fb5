package io.cascade.studies.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Repeated measurements of one quantity.
 *
 * @param values independent of each other
 */
public record Sample(List<Double> values) {
  private static final double CONFIDENCE = 0.95;

  /** Copies the values. */
  public Sample {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("values: none (expected: at least one)");
    }
  }

  /** The arithmetic mean. */
  public double mean() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  public double least() {
    return Collections.min(values);
  }

  public double most() {
    return Collections.max(values);
  }

  /** The middle value, or the mean of the two middle values. */
  public double median() {
    return median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The median of any numbers; NaN without numbers. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    return count == 0 ? Double.NaN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  }

  /** Standard deviation with n − 1; NaN for a single value. */
  public double standardDeviation() {
    double mean = mean();
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return Math.sqrt(squares / (values.size() - 1));
  }

  /**
   * Half of the mean's interval at 95 %: Student's t with n − 1 degrees of freedom times s/√n. NaN
   * for a single value.
   *
   * <p>Worked value: 1, 2, 3: 4.303·1/√3 = 2.484.
   */
  public double halfWidth() {
    return values.size() < 2
        ? Double.NaN
        : quantile(values.size() - 1.0) * standardDeviation() / Math.sqrt(values.size());
  }

  /**
   * Ratio of the mean to another sample's mean, with bounds at 95 % by the delta method on
   * logarithms and Welch's degrees of freedom. Bounds are NaN if either sample has a single value.
   */
  public Ratio over(Sample other) {
    double ratio = mean() / other.mean();
    if (values.size() < 2 || other.values.size() < 2) {
      return new Ratio(Double.NaN, ratio, Double.NaN);
    }
    double ours = relativeVariance();
    double theirs = other.relativeVariance();
    double both = ours + theirs;
    if (both == 0) {
      return new Ratio(ratio, ratio, ratio);
    }
    double degrees =
        both
            * both
            / (ours * ours / (values.size() - 1) + theirs * theirs / (other.values.size() - 1));
    double spread = Math.exp(quantile(degrees) * Math.sqrt(both));
    return new Ratio(ratio / spread, ratio, ratio * spread);
  }

  private double relativeVariance() {
    double relative = standardDeviation() / mean();
    return relative * relative / values.size();
  }

  private static double quantile(double degrees) {
    return new TDistribution(degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }

  /** A ratio with its bounds. */
  public record Ratio(double low, double value, double high) {}

  /** The q-th quantile of any numbers, by linear interpolation. */
  public static double quantile(List<Double> numbers, double q) {
    double[] sorted = numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double place = q * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
