package io.cascade.studies.topologies;

/**
 * A rule's choice for a pair, and its true rate.
 *
 * @param roundTripMillis of the direct path
 * @param directMegabits true rate of the direct path
 * @param promisedGain rate of the route over that of the direct path by the rule's inputs
 * @param gain true rate of the route over that of the direct path
 * @param cause best explanation of a gain below the promised one
 */
record RuleOutcome(
    CloudGrid.Pair pair,
    Choice choice,
    double roundTripMillis,
    double directMegabits,
    double promisedGain,
    double gain,
    Cause cause) {

  /** A path with wrong inputs, and its true throughput over the known one. */
  record Cause(CloudGrid.Pair hop, boolean direct, double changed) {}

  /** Rates below this share of the direct path's count as a loss. */
  static final double TOLERATED = 0.95;

  boolean isBelowDirect() {
    return gain < TOLERATED * (1 - 1e-9);
  }
}
