package io.cascade.model.uncertainty;

import io.cascade.model.units.Require;

/**
 * A likely value between two bounds, in a unit that its user defines.
 *
 * <p>{@code low} and {@code high} are numerically low and high: for a duration {@code low} is the
 * optimistic bound, for a rate {@code high}. Bounds may be infinite.
 */
public record Interval(double low, double likely, double high) {

  /** Checks the order. */
  public Interval {
    if (!(low <= likely && likely <= high)) {
      throw Require.outside("interval", low + ".." + likely + ".." + high, "low <= likely <= high");
    }
  }

  /** A value without uncertainty. */
  public static Interval exactly(double value) {
    return new Interval(value, value, value);
  }

  /**
   * Bounds in either order; a likely value outside them by a rounding error widens the interval.
   */
  public static Interval around(double likely, double oneBound, double otherBound) {
    return new Interval(
        Math.min(likely, Math.min(oneBound, otherBound)),
        likely,
        Math.max(likely, Math.max(oneBound, otherBound)));
  }

  /**
   * This divided by {@code divisor}, for positive estimates that were measured independently of
   * each other.
   *
   * <p>Bounds by the method of variance estimates recovery on logarithms (Zou and Donner,
   * "Construction of confidence limits about effect measures: a general approach", Statistics in
   * Medicine 27(10), 2008); with a = this and d = divisor:
   *
   * <pre>
   * ln low  = ln(a/d) − √( ln²(a/a.low)  + ln²(d.high/d) )
   * ln high = ln(a/d) + √( ln²(a.high/a) + ln²(d/d.low) )
   * </pre>
   *
   * <p>If both inputs are one-sided 95 % bounds, so are these, approximately. Dividing opposite
   * extremes instead would assume that both estimates err by their full margin at once, which at 95
   * % each happens about once in four hundred times, and would require several times as many probes
   * for a decision.
   *
   * <p>Worked value: (8..10..12.5) / (4..5..6.25) = 2, low = 2·exp(−√2·0.2231) = 1.459, high =
   * 2.742.
   *
   * <p>If a likely value is zero or infinite no logarithm exists, and opposite extremes are
   * divided.
   */
  public Interval dividedByIndependent(Interval divisor) {
    double ratio = likely / divisor.likely;
    if (!(ratio > 0) || Double.isInfinite(ratio) || Double.isInfinite(likely)) {
      return around(
          Double.isNaN(ratio) ? 1 : ratio,
          orElse(low / divisor.high, 0),
          orElse(high / divisor.low, Double.POSITIVE_INFINITY));
    }
    double down = Math.hypot(Math.log(likely / low), Math.log(divisor.high / divisor.likely));
    double up = Math.hypot(Math.log(high / likely), Math.log(divisor.likely / divisor.low));
    return around(ratio, ratio * Math.exp(-down), ratio * Math.exp(up));
  }

  /**
   * This interval with a further, independent error factor, for a positive estimate: an error of
   * its logarithm by up to {@code logarithm} in either direction, with the same confidence as the
   * bounds.
   *
   * <pre>
   * ln low  = ln(a) − √( ln²(a/a.low)  + logarithm² )
   * ln high = ln(a) + √( ln²(a.high/a) + logarithm² )
   * </pre>
   *
   * <p>Worked value: 8..10..12.5 and 0.2231, a factor of 1.25: 10·exp(∓√2·0.2231) = 7.29..13.7.
   *
   * @param logarithm &gt;= 0
   */
  public Interval scattered(double logarithm) {
    if (!(likely > 0) || Double.isInfinite(likely)) {
      return this;
    }
    double down = Math.hypot(Math.log(likely / low), logarithm);
    double up = Math.hypot(Math.log(high / likely), logarithm);
    return around(likely, likely * Math.exp(-down), likely * Math.exp(up));
  }

  /** The same interval of {@code numerator / x}: a rate from durations. */
  public Interval reciprocal(double numerator) {
    return around(numerator / likely, numerator / high, numerator / low);
  }

  private static double orElse(double value, double fallback) {
    return Double.isNaN(value) ? fallback : value;
  }
}
