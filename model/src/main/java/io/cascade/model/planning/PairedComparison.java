package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.Normal;
import io.cascade.model.uncertainty.StudentT;
import io.cascade.model.units.Require;
import java.util.stream.IntStream;

/**
 * Sequential test of two ways by pairs of measured rates: of the cascade and of the direct way,
 * shortly after each other. It is evaluated after every pair, and stops as soon as it has decided
 * or has {@value #MOST_PAIRS} pairs.
 *
 * <p>The logarithms of the pairs' ratios are assumed to be normal around the logarithm of the true
 * ratio, with an unknown deviation. With n pairs, their mean m and their standard deviation s, the
 * bounds are those of a repeated confidence interval (Jennison and Turnbull, "Interim analyses: the
 * repeated confidence interval approach", Journal of the Royal Statistical Society B 51(3), 1989)
 * with the boundary of O'Brien and Fleming ("A multiple testing procedure for clinical trials",
 * Biometrics 35(3), 1979), which is wide at first and little wider at the end than for a single
 * test at the end:
 *
 * <pre>
 * z = Φ⁻¹(1 − ε/2)·√(N/n)      N = {@value #MOST_PAIRS}, ε = {@value #ERROR}
 * m ± t·s/√n                   t exceeded with n − 1 degrees of freedom as rarely as z
 * </pre>
 *
 * <p>If the deviation were known, either bound would be wrong after any of the N pairs with a
 * probability of at most ε, by Lévy's inequality: sums of symmetric variables exceed a level at
 * some time at most twice as often as at the end. With t in place of z, level by level (Pocock,
 * "Group sequential methods in the design and analysis of clinical trials", Biometrika 64(2),
 * 1977), that holds approximately; {@code PairedComparisonTest} measures it.
 *
 * <p>The decisions have the meaning of {@link Verdict}, except that DIRECT needs more: an upper
 * bound below 1 instead of at most {@value Decision#TOO_LITTLE_GAIN}.
 *
 * <ul>
 *   <li>CASCADE: the lower bound is above 1 and the mean above {@value Decision#TOO_LITTLE_GAIN}.
 *   <li>DIRECT: the upper bound is below 1 and the mean below 1/{@value Decision#TOO_LITTLE_GAIN}.
 *   <li>EQUAL: the mean is within {@value Decision#TOO_LITTLE_GAIN} to either side of 1, and the
 *       bounds are within {@value Verdict#NARROW}.
 *   <li>UNDECIDED otherwise.
 * </ul>
 *
 * <p>So for equal ways the probability of calling one of them faster is at most ε for each, and for
 * a way that is {@value Verdict#NARROW} times as fast or more the probability of EQUAL is at most
 * ε. For ratios between 1 and {@value Verdict#NARROW} either answer is right.
 *
 * <p>Worked value: four pairs with ratios of 1.8, 2.2, 1.9 and 2.1 have a mean of 1.99 and s =
 * 0.092; z = 3.39, t = 14.7, and the ratio is 1.02 to 3.9: CASCADE.
 *
 * @param pairs n
 * @param mean of the logarithms of cascade over direct; 0 without pairs
 * @param squares sum of the squared deviations from the mean
 */
public record PairedComparison(int pairs, double mean, double squares) {
  /**
   * Most pairs; a comparison that is open after these stays open. If ratios of short tests vary by
   * a quarter, twelve pairs of equal ways show in most cases that they are equal.
   */
  public static final int MOST_PAIRS = 12;

  /** Probability with which each bound may be wrong. */
  public static final double ERROR = 0.05;

  /** Without pairs. */
  public static final PairedComparison NONE = new PairedComparison(0, 0, 0);

  /** The boundary t by the number of pairs. */
  private static final double[] BOUNDARY =
      IntStream.rangeClosed(0, MOST_PAIRS).mapToDouble(PairedComparison::boundary).toArray();

  private static double boundary(int pairs) {
    if (pairs < 2) {
      return Double.POSITIVE_INFINITY;
    }
    double z = Normal.quantile(1 - ERROR / 2) * Math.sqrt((double) MOST_PAIRS / pairs);
    return StudentT.exceededWith(Normal.below(-z), pairs - 1);
  }

  /** Checks the values. */
  public PairedComparison {
    Require.atLeast("pairs", pairs, 0);
    Require.notNegative("squares", squares);
  }

  /**
   * This comparison with one more pair.
   *
   * @param cascade rate of the cascade, &gt; 0
   * @param direct rate of the direct way in the same unit, &gt; 0
   */
  public PairedComparison and(double cascade, double direct) {
    double log =
        Math.log(Require.positive("cascade", cascade) / Require.positive("direct", direct));
    int more = pairs + 1;
    double after = mean + (log - mean) / more;
    return new PairedComparison(more, after, squares + (log - mean) * (log - after));
  }

  /** Cascade over direct: geometric mean and bounds, which are 0 and infinite below two pairs. */
  public Interval ratio() {
    double reach = reach();
    return Interval.around(Math.exp(mean), Math.exp(mean - reach), Math.exp(mean + reach));
  }

  private double reach() {
    return pairs < 2
        ? Double.POSITIVE_INFINITY
        : BOUNDARY[Math.min(pairs, MOST_PAIRS)] * Math.sqrt(squares / (pairs - 1) / pairs);
  }

  /** The decision of the pairs so far. */
  public Decision decision() {
    Interval ratio = ratio();
    double worth = Decision.TOO_LITTLE_GAIN;
    if (ratio.low() > 1 && ratio.likely() > worth) {
      return Decision.CASCADE;
    }
    if (ratio.high() < 1 && ratio.likely() < 1 / worth) {
      return Decision.DIRECT;
    }
    boolean equal =
        ratio.likely() >= 1 / worth
            && ratio.likely() <= worth
            && ratio.low() >= 1 / Verdict.NARROW
            && ratio.high() <= Verdict.NARROW;
    return equal ? Decision.EQUAL : Decision.UNDECIDED;
  }

  /** Whether the comparison is over. */
  public boolean isOver() {
    return pairs >= MOST_PAIRS || decision() != Decision.UNDECIDED;
  }
}
