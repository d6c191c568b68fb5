package io.cascade.orchestrator.chains;

import java.util.UUID;
import java.util.function.Predicate;

/** Memory of single chains, which ends with them: {@link UpkeepRounds} has it forget them. */
interface ChainMemory {
  /**
   * Forgets all other chains.
   *
   * @param live whether a chain has not ended
   */
  void retain(Predicate<UUID> live);
}
