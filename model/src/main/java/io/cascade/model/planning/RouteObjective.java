package io.cascade.model.planning;

import java.util.OptionalLong;

/**
 * What a route is bounded by before it is scored in full: fixed delay and the slowest hop's rate.
 *
 * <p>For a transfer of S bytes the bound is delay + 8·(S − MSS)/rate: the quickest-path problem of
 * Chen and Chin ("The quickest path problem", Computers and Operations Research 17(2), 1990). No
 * delivery beats it, since the last packet leaves the slowest hop no earlier than all packets
 * before it allow. For a stream without end the widest route is best and the delay breaks ties.
 */
final class RouteObjective {

  private final boolean stream;
  private final double bits;

  RouteObjective(OptionalLong bytes, int mssBytes) {
    stream = bytes.isEmpty();
    bits = 8.0 * Math.max(0, bytes.orElse(0) - mssBytes);
  }

  /** A bound; the lesser is better. */
  record Bound(double first, double second) implements Comparable<Bound> {
    static final Bound NONE = new Bound(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    @Override
    public int compareTo(Bound other) {
      int byFirst = Double.compare(first, other.first);
      return byFirst != 0 ? byFirst : Double.compare(second, other.second);
    }
  }

  /** The bound of a route with this fixed delay and slowest rate. */
  Bound of(double delaySeconds, double bitsPerSecond) {
    if (stream) {
      return new Bound(-bitsPerSecond, delaySeconds);
    }
    return new Bound(delaySeconds + (bits == 0 ? 0 : bits / bitsPerSecond), delaySeconds);
  }

  /**
   * The least cost, as {@link Prediction#cost} counts it, that a route with this bound can have.
   */
  double leastCost(Bound bound) {
    return stream ? 1 / -bound.first() : bound.first();
  }
}
