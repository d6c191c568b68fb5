package io.cascade.model.planning;

/** The planner's answer to "through relays or not?". */
public enum Decision {
  /**
   * Use the chosen relays: the cascade gains even at the gain's lower bound, or the caller required
   * the relays.
   */
  CASCADE,
  /**
   * Use no relays: nothing worth having is gained even at the gain's upper bound, or there is no
   * route through any.
   */
  DIRECT,
  /** The measurements cannot tell. The plan names the likelier choice and what to measure. */
  UNDECIDED
}
