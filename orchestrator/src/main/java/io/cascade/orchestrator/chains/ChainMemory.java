package io.cascade.orchestrator.chains;

import java.util.UUID;
import java.util.function.Predicate;

/** State kept per chain, which {@link UpkeepRounds} discards when the chain has ended. */
interface ChainMemory {
  /**
   * Discards the state of all chains that have ended.
   *
   * @param live whether a chain has not ended
   */
  void retain(Predicate<UUID> live);
}
