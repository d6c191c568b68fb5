package io.cascade.orchestrator.chains;

/**
 * A rule that makes the parts which relays hold match the wanted ones. {@link UpkeepRounds} runs
 * all rules in rounds, in no particular order: each rule determines its own work, so upkeep
 * continues wherever an earlier process ended.
 */
interface UpkeepRule {
  /** Runs once, before the first round of any rule. */
  default void start() {}

  /**
   * Starts the work that is due. Does not block on relays; work that does runs on its own thread.
   */
  void round();

  /** Whether there may be work while there are no chains. */
  default boolean worksWithoutChains() {
    return false;
  }
}
