package io.cascade.relay.registration;

import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import java.util.List;

/** The relay that registers. Calls come from the registration's thread and must not block long. */
public interface Registrant {

  /** Not yet signed. */
  RelayRegistration registration();

  /** Signs what the relay says. */
  RelaySigner signer();

  long runningStreams();

  /** Stream bytes that the relay holds now. */
  long heldBytes();

  /** What the relay allows itself now. */
  RelayLimits limits();

  /** What was measured since the last report that was delivered. */
  LinkReport links();

  /** Where streams of proxies' clients went directly. */
  DestinationUses destinations();

  /** The orchestrator has answered, and names the relays to measure the links to. */
  void peers(List<RelayPeer> peers);

  /**
   * A later start of this relay has its name. Registration has ended for good.
   *
   * @param reason in the orchestrator's words
   */
  void replaced(String reason);
}
