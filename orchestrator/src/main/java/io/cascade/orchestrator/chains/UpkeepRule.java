package io.cascade.orchestrator.chains;

/**
 * A rule by which what relays hold is brought together with what is wanted. {@link UpkeepRounds}
 * follows all of them, round after round. Their order is of no importance: each finds out for
 * itself what is to be done, so that it does not matter where an earlier process died.
 */
interface UpkeepRule {
  /** Runs once, before the first round of any rule. */
  default void start() {}

  /** Begins with what is due. Waits for no relay: what does has a thread of its own. */
  void round();

  /** Whether there may be something to do while there are no chains. */
  default boolean worksWithoutChains() {
    return false;
  }
}
