package io.cascade.relay.registration;

import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import java.time.Duration;
import java.util.List;

/** The relay that registers. Calls come from the registration's thread and must not block long. */
public interface Registrant {

  /** The relay's registration, not yet signed. */
  RelayRegistration registration();

  /** Signs the relay's messages. */
  RelaySigner signer();

  long runningStreams();

  /** Stream bytes that the relay holds at present. */
  long heldBytes();

  /** The relay's present limits. */
  RelayLimits limits();

  /** Measurements since the last delivered report. */
  LinkReport links();

  /** Uses of destinations to which streams of proxies' clients went directly. */
  DestinationUses destinations();

  /**
   * Receives an answer of the orchestrator. It names the relays to whose links probes are sent.
   *
   * @param leastBetween mean time between two probes to one of them, at least; zero for the default
   */
  void peers(List<RelayPeer> peers, Duration leastBetween);

  /**
   * Ends the relay: by the answer to its first registration, a later start of it holds its name.
   * Registration has ended for good.
   *
   * @param reason text from the orchestrator
   */
  void replaced(String reason);
}
