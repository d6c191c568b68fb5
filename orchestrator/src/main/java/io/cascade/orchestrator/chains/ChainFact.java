package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.SetupReport;
import java.util.UUID;

/** Something that became known of a chain. Other features listen for what concerns them. */
public sealed interface ChainFact {

  UUID chain();

  /**
   * All its relays were asked to take their parts.
   *
   * @param ready whether all took them
   */
  record SetUp(UUID chain, SetupReport report, boolean ready) implements ChainFact {}
}
