package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.Collections;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Limits of a route through relays. They do not apply to the direct path.
 *
 * @param allowedSites sites whose relays may be used; empty allows any, otherwise a relay of
 *     unknown site is not allowed
 * @param forbiddenSites sites whose relays may not be used
 * @param mostPricePerGibibyte limit of a route's {@linkplain Price#perGibibyte effective price}
 * @param mostPricePerHour limit of the price of a route's relays together per hour
 * @param leastBitsPerSecond goodput that {@link Objective#PRICE} has to reach
 */
public record RouteLimits(
    Set<String> allowedSites,
    Set<String> forbiddenSites,
    OptionalDouble mostPricePerGibibyte,
    OptionalDouble mostPricePerHour,
    OptionalDouble leastBitsPerSecond) {

  /** Checks that the parts agree. */
  public RouteLimits {
    allowedSites = Set.copyOf(allowedSites);
    forbiddenSites = Set.copyOf(forbiddenSites);
    if (!Collections.disjoint(allowedSites, forbiddenSites)) {
      throw Require.outside(
          "allowedSites", allowedSites, "none of those forbidden: " + forbiddenSites);
    }
    mostPricePerGibibyte.ifPresent(value -> Require.notNegative("mostPricePerGibibyte", value));
    mostPricePerHour.ifPresent(value -> Require.notNegative("mostPricePerHour", value));
    leastBitsPerSecond.ifPresent(value -> Require.positive("leastBitsPerSecond", value));
  }
}
