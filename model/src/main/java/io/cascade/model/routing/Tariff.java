package io.cascade.model.routing;

/**
 * Prices of routes, as lower bounds while they are still incomplete.
 *
 * <p>The effective price of a delivered GiB is what its traffic costs on all links and what the
 * relays cost for as long as it takes:
 *
 * <pre>
 * price = Σ traffic + hours·Σ hourly,   hours = hoursPerBound·bound
 * </pre>
 *
 * <p>bound is the route's time, or a stream's time per bit; where the rate is given in advance
 * hours are fixed, and the price of a route is a plain sum.
 *
 * @param trafficOfLink price of a GiB over each link
 * @param hourlyOfNode price per hour of each node as a relay
 * @param hoursPerBound hours that a GiB takes per unit of bound; 0 where hours are fixed
 * @param fixedHours hours that a GiB takes at a rate given in advance, otherwise 0
 * @param mostPerGibibyte ceiling on the price; infinite for none
 * @param mostPerHour ceiling on Σ hourly; infinite for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; arrays are shared, not copied
public record Tariff(
    double[] trafficOfLink,
    double[] hourlyOfNode,
    double hoursPerBound,
    double fixedHours,
    double mostPerGibibyte,
    double mostPerHour) {

  /** Room for sums that differ only by rounding. */
  private static final double ROUNDING = 1 + 1e-12;

  double price(double traffic, double hourly, double bound) {
    return hourly == 0 ? traffic : traffic + hourly * (fixedHours + hoursPerBound * bound);
  }

  boolean allows(double price, double hourly) {
    return price <= mostPerGibibyte * ROUNDING && hourly <= mostPerHour * ROUNDING;
  }
}
