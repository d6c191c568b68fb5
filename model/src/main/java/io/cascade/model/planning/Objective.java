package io.cascade.model.planning;

/** Quantity by which routes are compared. */
public enum Objective {
  /** The least time, or for an unlimited stream the highest rate. */
  TIME,
  /** The lowest price among those that reach the required rate. */
  PRICE,
  /** The least time, and also every route that no other beats in both time and price. */
  TIME_AND_PRICE
}
