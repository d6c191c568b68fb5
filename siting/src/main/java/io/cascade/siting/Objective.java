package io.cascade.siting;

/**
 * Aim of the choice of sites, once as many demands are served as can be.
 *
 * <p>Serving comes first: a demand without any measured way, or below the rate it requires, is not
 * served, and no gain elsewhere makes up for it.
 */
public enum Objective {
  /** The least sum of weight · seconds over all transfers. */
  TIME,
  /** The greatest sum of weight · (rate / direct rate − 1). */
  GAIN
}
