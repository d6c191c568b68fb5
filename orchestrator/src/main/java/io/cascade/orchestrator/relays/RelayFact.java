package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.util.List;

/** Something that became known of a relay. Other features listen for what concerns them. */
public sealed interface RelayFact {

  RegisteredRelay relay();

  /** The relay announced itself for the first time, or as the instance that it was before. */
  record Registered(RegisteredRelay relay) implements RelayFact {}

  /** A new instance: whatever its predecessor held is gone. */
  record Restarted(RegisteredRelay relay) implements RelayFact {}

  /** It opened its control connection. */
  record Connected(RegisteredRelay relay) implements RelayFact {}

  /** Measurements of it since its last heartbeat. */
  record Measured(RegisteredRelay relay, List<LinkMeasurement> links) implements RelayFact {}

  /** It is silent for longer than is usual for it, and nobody else hears it. */
  record Lost(RegisteredRelay relay) implements RelayFact {}

  /** The same instance spoke again. */
  record Recovered(RegisteredRelay relay) implements RelayFact {}

  /** The relay takes no new streams. */
  record Draining(RegisteredRelay relay) implements RelayFact {}

  /** The relay is forgotten: somebody asked for that, or it was lost for too long. */
  record Forgotten(RegisteredRelay relay) implements RelayFact {}
}
