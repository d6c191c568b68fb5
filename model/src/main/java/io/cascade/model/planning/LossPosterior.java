package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import java.util.function.DoubleUnaryOperator;

/**
 * Distribution of a link's loss after k of n packets were lost: Jeffreys' posterior, Beta(k + ½, n
 * − k + ½), as a table of its distribution function.
 *
 * <p>The table has {@value #CELLS} cells of equal width in ln p, from far below to far above the
 * mean, and the density is summed by the trapezoidal rule, which for a smooth density that vanishes
 * at both ends converges faster than any power of the width. No Beta function is needed: the total
 * is the norm.
 */
final class LossPosterior {

  private static final int CELLS = 200;
  private static final double STANDARD_DEVIATIONS = 8;
  private static final double LEAST_LOSSES = 1e-8;
  private static final double MORE_LOSSES = 20;

  private final double[] losses = new double[CELLS + 1];
  private final double[] below = new double[CELLS + 1];

  LossPosterior(LossEstimate estimate) {
    double a = estimate.lost() + 0.5;
    double b = estimate.sent() - estimate.lost() + 0.5;
    double mean = a / (a + b);
    double deviation = Math.sqrt(mean * (1 - mean) / (a + b + 1));
    double low = Math.max(LEAST_LOSSES / estimate.sent(), mean - STANDARD_DEVIATIONS * deviation);
    double high =
        Math.min(1 - 1e-9, mean + STANDARD_DEVIATIONS * deviation + MORE_LOSSES / estimate.sent());
    double width = Math.log(high / low) / CELLS;
    double mode = logDensity(mean, a, b);
    double sum = 0;
    double before = 0;
    for (int i = 0; i <= CELLS; i++) {
      losses[i] = Math.min(high, low * Math.exp(i * width));
      double density = Math.exp(logDensity(losses[i], a, b) - mode);
      sum += i == 0 ? 0 : (before + density) / 2;
      below[i] = sum;
      before = density;
    }
    for (int i = 0; i <= CELLS; i++) {
      below[i] /= sum;
    }
  }

  /** Logarithm of the density of ln p, up to a constant. */
  private static double logDensity(double loss, double a, double b) {
    return a * Math.log(loss) + (b - 1) * Math.log1p(-loss);
  }

  /** The distribution of a cost that never falls as the loss grows. */
  CostDistribution of(DoubleUnaryOperator costOfLoss) {
    double[] costs = new double[losses.length];
    for (int i = 0; i < costs.length; i++) {
      costs[i] = costOfLoss.applyAsDouble(losses[i]);
    }
    return new CostDistribution(costs, below);
  }

  /** Distribution of a cost. */
  static final class CostDistribution {
    private final double[] costs;
    private final double[] below;

    private CostDistribution(double[] costs, double[] below) {
      this.costs = costs;
      this.below = below;
    }

    /** Probability that the cost is less than this. */
    double below(double cost) {
      int low = -1;
      int high = costs.length;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (costs[middle] < cost) {
          low = middle;
        } else {
          high = middle;
        }
      }
      if (low < 0) {
        return 0;
      }
      if (high == costs.length || Double.isInfinite(costs[high])) {
        return below[low];
      }
      double share = (cost - costs[low]) / (costs[high] - costs[low]);
      return below[low] + share * (below[high] - below[low]);
    }

    /** The expectation of a function of the cost. */
    double expect(DoubleUnaryOperator function) {
      double sum = 0;
      double before = function.applyAsDouble(costs[0]);
      for (int i = 1; i < costs.length; i++) {
        double here = function.applyAsDouble(costs[i]);
        sum += (below[i] - below[i - 1]) * (before + here) / 2;
        before = here;
      }
      return sum;
    }
  }
}
