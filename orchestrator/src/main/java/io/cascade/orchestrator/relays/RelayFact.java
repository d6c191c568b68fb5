package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.util.List;

/** A fact about a relay. Other features listen for the facts that they need. */
public sealed interface RelayFact {

  RegisteredRelay relay();

  /** The relay registered for the first time, or again as the same instance. */
  record Registered(RegisteredRelay relay) implements RelayFact {}

  /** A new instance registered; the state of its predecessor is gone. */
  record Restarted(RegisteredRelay relay) implements RelayFact {}

  /** The relay opened its control connection. */
  record Connected(RegisteredRelay relay) implements RelayFact {}

  /** Measurements since the relay's last heartbeat. */
  record Measured(RegisteredRelay relay, List<LinkMeasurement> links) implements RelayFact {}

  /**
   * The relay is lost: it stopped, its process ended, or it is silent for longer than usual and
   * other relays do not reach it.
   */
  record Lost(RegisteredRelay relay) implements RelayFact {}

  /** The same instance reported again. */
  record Recovered(RegisteredRelay relay) implements RelayFact {}

  /** The relay accepts no new streams. */
  record Draining(RegisteredRelay relay) implements RelayFact {}

  /** The relay is forgotten: a caller deleted it, or it was lost for too long. */
  record Forgotten(RegisteredRelay relay) implements RelayFact {}
}
