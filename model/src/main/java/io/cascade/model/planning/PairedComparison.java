package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.Normal;
import io.cascade.model.uncertainty.StudentT;
import io.cascade.model.units.Require;
import java.util.stream.IntStream;

/**
 * Sequential test of two ways by pairs of measured rates: of the cascade and of the direct way,
 * shortly after each other. It is judged after every pair, and stops as soon as it has decided or
 * {@value #MOST_PAIRS} pairs were seen.
 *
 * <p>The logarithms of the pairs' ratios are taken to be normal around the logarithm of the true
 * ratio; nothing is assumed of their deviation. With n pairs, their mean m and their standard
 * deviation s, the bounds are those of a repeated confidence interval (Jennison and Turnbull,
 * "Interim analyses: the repeated confidence interval approach", Journal of the Royal Statistical
 * Society B 51(3), 1989) with the boundary of O'Brien and Fleming ("A multiple testing procedure
 * for clinical trials", Biometrics 35(3), 1979), which is wide at first and little wider at the end
 * than if one had looked only then:
 *
 * <pre>
 * z = Φ⁻¹(1 − ε/2)·√(N/n)      N = {@value #MOST_PAIRS}, ε = {@value #ERROR}
 * m ± t·s/√n                   t as rarely exceeded with n − 1 degrees of freedom as z is
 * </pre>
 *
 * <p>Were the deviation known, either bound would be wrong after any of the N pairs with a
 * probability of at most ε, by Lévy's inequality: sums of symmetric variables pass a level at some
 * time at most twice as often as at the end. With t in the place of z, level by level (Pocock,
 * "Group sequential methods in the design and analysis of clinical trials", Biometrika 64(2),
 * 1977), that holds nearly; {@code PairedComparisonTest} counts it.
 *
 * <p>What follows has the meaning that {@link Verdict} gives it, but that DIRECT needs more: an
 * upper bound below 1, where that takes one of {@value Decision#TOO_LITTLE_GAIN} for enough.
 *
 * <ul>
 *   <li>CASCADE: the lower bound is above 1 and the mean above {@value Decision#TOO_LITTLE_GAIN}.
 *   <li>DIRECT: the upper bound is below 1 and the mean below 1/{@value Decision#TOO_LITTLE_GAIN}.
 *   <li>EQUAL: the mean is within {@value Decision#TOO_LITTLE_GAIN} to either side of 1, and the
 *       bounds are within {@value Verdict#NARROW}.
 *   <li>UNDECIDED otherwise.
 * </ul>
 *
 * <p>So of equal ways one is called faster with a probability of at most ε for each, and of a way
 * that is {@value Verdict#NARROW} times as fast or more it is said that both are equal with at most
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
   * Pairs after which what is open stays so. Where ratios of short tests vary by a quarter, twelve
   * pairs of equal ways show in most cases that they are equal.
   */
  public static final int MOST_PAIRS = 12;

  /** Probability with which each bound may be wrong. */
  public static final double ERROR = 0.05;

  /** No pair yet. */
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
   * With one pair more.
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

  /** What the pairs show so far. */
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

  /** Whether no further pair is of use. */
  public boolean isOver() {
    return pairs >= MOST_PAIRS || decision() != Decision.UNDECIDED;
  }
}
