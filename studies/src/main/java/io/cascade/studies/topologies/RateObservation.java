package io.cascade.studies.topologies;

import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;

/**
 * Observation of a throughput test on a link, in the planner's terms.
 *
 * <p>The planner takes losses counted among packets. A rate is converted to the loss at which the
 * model's CUBIC has that rate over that round trip, and its uncertainty to the number of counted
 * losses: if X falls as p^−e there, k losses leave X uncertain by e/√k, so a relative error s
 * corresponds to k = (e/s)² losses. The capacity stays unknown, because a test shows what a link
 * carried and not what it could carry.
 *
 * @param bitsPerSecond payload of one connection
 * @param relativeError standard deviation of the rate's logarithm
 */
record RateObservation(Duration roundTrip, double bitsPerSecond, double relativeError) {

  private static final double LEAST_LOSS = 1e-12;
  private static final double MOST_LOSS = 0.5;
  private static final double STEP = 1.1;

  /**
   * Returns the observation of each single one of the {@link CloudGrid#CONNECTIONS} connections of
   * a test.
   */
  static RateObservation ofTest(double roundTripMillis, double megabits, double relativeError) {
    return new RateObservation(
        Duration.ofNanos(Math.round(roundTripMillis * 1e6)),
        megabits * 1e6 / CloudGrid.CONNECTIONS,
        relativeError);
  }

  /** The link in the planner's terms. */
  LinkEstimate estimate() {
    double loss = loss();
    double exponent = Math.log(rate(loss / STEP) / rate(loss * STEP)) / (2 * Math.log(STEP));
    long lost = Math.max(1, Math.round(Math.pow(exponent / relativeError, 2)));
    // The planner's likely loss is (k + ½)/(n + 1).
    long sent = Math.max(lost, Math.round((lost + 0.5) / loss) - 1);
    return LinkEstimate.of(roundTrip, new LossEstimate(lost, sent));
  }

  /** Finds the loss by bisection of logarithms: the rate falls as the loss grows. */
  private double loss() {
    double low = LEAST_LOSS;
    double high = MOST_LOSS;
    while (high / low > 1 + 1e-12) {
      double middle = Math.sqrt(low * high);
      if (rate(middle) > bitsPerSecond) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.sqrt(low * high);
  }

  private double rate(double loss) {
    return CongestionControl.CUBIC
        .model()
        .bitsPerSecond(
            PathConditions.uncapped(
                roundTrip.toNanos() / 1e9, loss, Framing.ETHERNET_1500.mssBytes()));
  }
}
