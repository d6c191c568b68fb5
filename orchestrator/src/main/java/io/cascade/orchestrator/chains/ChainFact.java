package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.SetupReport;
import java.util.UUID;

/** A fact about a chain. Other features listen for the facts that they need. */
public sealed interface ChainFact {

  UUID chain();

  /**
   * All relays of a chain were asked to install their parts.
   *
   * @param ready whether all of them did
   */
  record SetUp(UUID chain, SetupReport report, boolean ready) implements ChainFact {}
}
