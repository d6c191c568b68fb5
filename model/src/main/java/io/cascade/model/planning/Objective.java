package io.cascade.model.planning;

/** Quantity in which the best route is best. */
public enum Objective {
  /** The least time, or for a stream without end the highest rate. */
  TIME,
  /** The lowest price among those that reach the required rate. */
  PRICE,
  /** The least time, and beside it every route that nothing beats in both time and price. */
  TIME_AND_PRICE
}
