package io.cascade.siting;

/**
 * Objective of the choice of sites, among choices that serve the most demands.
 *
 * <p>Serving takes precedence: a demand without a measured way, or below its required rate, is not
 * served, and no gain of other demands compensates for it.
 */
public enum Objective {
  /** The least sum of weight · seconds over all transfers. */
  TIME,
  /** The greatest sum of weight · (rate / direct rate − 1). */
  GAIN
}
