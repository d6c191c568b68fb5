package io.cascade.studies.topologies;

/**
 * A rule's choice for a pair, and what it achieves.
 *
 * @param roundTripMillis of the direct path
 * @param directMegabits what the direct path achieves
 * @param promisedGain what the rule's inputs say of the route over what they say of the direct path
 * @param gain what is achieved over what the direct path achieves
 * @param cause what explains a gain below the promised one best
 */
record RuleOutcome(
    CloudGrid.Pair pair,
    Choice choice,
    double roundTripMillis,
    double directMegabits,
    double promisedGain,
    double gain,
    Cause cause) {

  /** A path on which the inputs were wrong, and what it achieves over what was known of it. */
  record Cause(CloudGrid.Pair hop, boolean direct, double changed) {}

  /** Rates this far below the direct path's count as a loss. */
  static final double TOLERATED = 0.95;

  boolean isBelowDirect() {
    return gain < TOLERATED * (1 - 1e-9);
  }
}
