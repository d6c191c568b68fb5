package io.cascade.siting;

import io.cascade.model.units.Require;

/**
 * A place where a relay could be rented.
 *
 * @param name the node's name in the measured network
 * @param price price of renting it, in any currency and period of the caller; 0 if free
 */
public record Site(String name, double price) {

  /** Checks the values. */
  public Site {
    if (name.isBlank()) {
      throw Require.outside("site", "'" + name + "'", "a name");
    }
    Require.notNegative("price of " + name, price);
  }
}
