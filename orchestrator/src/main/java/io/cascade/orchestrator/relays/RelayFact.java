package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.util.List;

/** Something that became known of a relay. Other features listen for what concerns them. */
public sealed interface RelayFact {

  RegisteredRelay relay();

  /** It announced itself for the first time, or as the instance that it was before. */
  record Registered(RegisteredRelay relay) implements RelayFact {}

  /** A new instance: whatever its predecessor held is gone. */
  record Restarted(RegisteredRelay relay) implements RelayFact {}

  /** What it measured since its last heartbeat. */
  record Measured(RegisteredRelay relay, List<LinkMeasurement> links) implements RelayFact {}

  /** Three heartbeats in a row were missed. */
  record Lost(RegisteredRelay relay) implements RelayFact {}

  /** It spoke again, the same instance. */
  record Recovered(RegisteredRelay relay) implements RelayFact {}

  /** It takes no new streams. */
  record Draining(RegisteredRelay relay) implements RelayFact {}

  /** It is not known any more: somebody had it forgotten, or it was lost for too long. */
  record Forgotten(RegisteredRelay relay) implements RelayFact {}
}
