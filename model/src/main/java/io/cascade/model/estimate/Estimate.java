package io.cascade.model.estimate;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;

/**
 * Rates of a path, of a cascade over it, and of the ways without relays.
 *
 * <p>Worked value: Mathis with c = √1.5, 64 ms, 0.1 %, 32 Mbit/s: 7.01 Mbit/s direct, limited by
 * the congestion control; one relay in the middle with the loss divided: 19.8 Mbit/s, a gain of
 * 2.83.
 *
 * @param request the request
 * @param direct the connection without relays
 * @param cascade the way through relays, if one was asked for
 * @param rivals better ways without relays; none in the published variant, which knows none
 * @param gain direct over cascade, in time or, for a stream, in rate: above 1 the cascade is
 *     faster; empty without a cascade, or if nothing known limits either
 */
public record Estimate(
    EstimateRequest request,
    WayEstimate direct,
    Optional<WayEstimate> cascade,
    List<Rival> rivals,
    Optional<Interval> gain) {

  /** Copies the list. */
  public Estimate {
    rivals = List.copyOf(rivals);
  }

  /** A way to do better without relays. */
  public record Rival(Kind kind, WayEstimate way) {
    /** Kind of an alternative without relays. */
    public enum Kind {
      /** Several direct connections that share the data. */
      PARALLEL_DIRECT,
      /** One direct connection with BBR. */
      DIRECT_BBR
    }
  }

  /** The estimate for a request. */
  public static Estimate of(EstimateRequest request) {
    return switch (request.variant()) {
      case CORRECTED -> new CorrectedEquations(request).estimate();
      case AS_PUBLISHED -> new PublishedEquations(request).estimate();
    };
  }

  /**
   * The gain's interval. A loss that both ways share is high or low for both; only if they were
   * measured separately may it be high for one and low for the other.
   */
  static Optional<Interval> gain(EstimateRequest request, WayEstimate direct, WayEstimate cascade) {
    Interval without = direct.cost();
    Interval with = cascade.cost();
    if (Double.isNaN(without.likely() / with.likely())) {
      return Optional.empty();
    }
    if (request.independent()) {
      return Optional.of(without.dividedByIndependent(with));
    }
    double likely = without.likely() / with.likely();
    return Optional.of(
        Interval.around(
            likely,
            ratioOr(likely, without.low(), with.low()),
            ratioOr(likely, without.high(), with.high())));
  }

  private static double ratioOr(double fallback, double numerator, double denominator) {
    double ratio = numerator / denominator;
    return Double.isNaN(ratio) ? fallback : ratio;
  }
}
