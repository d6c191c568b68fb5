package io.cascade.studies.topologies;

import java.util.Arrays;
import java.util.Collection;

/** The distribution of gains over pairs. */
final class Gains {

  private final double[] sorted;

  private Gains(double[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Computes the gains of at least one choice.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Gains of(Collection<RuleOutcome> judged) {
    if (judged.isEmpty()) {
      throw new IllegalArgumentException("gains: none (expected: at least one)");
    }
    double[] gains = judged.stream().mapToDouble(RuleOutcome::gain).toArray();
    Arrays.sort(gains);
    return new Gains(gains);
  }

  /** The smallest gain that at least this share of pairs does not exceed. */
  double quantile(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
  }

  double median() {
    return quantile(0.5);
  }

  double mean() {
    return Arrays.stream(sorted).average().orElseThrow();
  }

  /** The share of pairs more than 5 % below the direct path. */
  double belowDirect() {
    double limit = RuleOutcome.TOLERATED * (1 - 1e-9);
    return Arrays.stream(sorted).filter(gain -> gain < limit).count() / (double) sorted.length;
  }
}
