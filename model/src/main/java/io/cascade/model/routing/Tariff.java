package io.cascade.model.routing;

/**
 * Prices of routes, as lower bounds while they are still incomplete.
 *
 * <p>The effective price of a delivered GiB is the price of its traffic on all links and of the
 * relays for the time that it takes:
 *
 * <pre>
 * price = Σ traffic + hours·Σ hourly,   hours = hoursPerBound·bound
 * </pre>
 *
 * <p>bound is the route's time, or a stream's time per bit; if the rate is given in advance hours
 * are fixed, and the price of a route is a plain sum.
 *
 * @param trafficOfLink price of a GiB over each link
 * @param hourlyOfNode price per hour of each node as a relay
 * @param hoursPerBound hours that a GiB takes per unit of bound; 0 if hours are fixed
 * @param fixedHours hours that a GiB takes at a rate given in advance, otherwise 0
 * @param mostPerGibibyte limit of the price; infinite for none
 * @param mostPerHour limit of Σ hourly; infinite for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; arrays are shared, not copied
public record Tariff(
    double[] trafficOfLink,
    double[] hourlyOfNode,
    double hoursPerBound,
    double fixedHours,
    double mostPerGibibyte,
    double mostPerHour) {

  /** Tolerance for sums that differ only by rounding. */
  private static final double ROUNDING = 1 + 1e-12;

  double price(double traffic, double hourly, double bound) {
    return hourly == 0 ? traffic : traffic + hourly * (fixedHours + hoursPerBound * bound);
  }

  boolean allows(double price, double hourly) {
    return price <= mostPerGibibyte * ROUNDING && hourly <= mostPerHour * ROUNDING;
  }
}
